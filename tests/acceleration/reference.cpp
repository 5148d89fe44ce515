// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::acceleration {

using Extended = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

Reference::Reference(const std::vector<GlobalField>& fields, const QuasiNewtonSettings& settings,
                     std::optional<JacobianRestart> restart)
    : equations_(fields, settings), settings_(settings), restart_(restart) {
  State zero;
  for (const GlobalField& field : fields) {
    zero.emplace_back(field.size * field.samples);
  }
  built_ = jacobian_ = Matrix::Zero(equations_.all(zero).size(), equations_.of(zero).size());
}

/// Gram-Schmidt, as often as it takes.
void Reference::filter(std::deque<Pair>& pairs) const {
  std::vector<Extended> basis;
  const Values weights = equations_.weights();
  long double square = 0;
  for (const Pair& pair : pairs) {
    square += pair.v.cwiseProduct(weights).squaredNorm();
  }
  for (auto pair = pairs.begin(); pair != pairs.end();) {
    Extended left = pair->v.cwiseProduct(weights).cast<long double>();
    const long double norm = left.norm();
    for (int pass = 0; pass < 3; ++pass) {
      for (const Extended& direction : basis) {
        left -= direction.dot(left) * direction;
      }
    }
    const long double scale = settings_.filter == FilterType::qr1            ? std::sqrt(square)
                              : settings_.filter == FilterType::qr1_absolute ? 1
                                                                             : norm;
    if (left.norm() < settings_.filter_limit * scale || left.norm() < 1e-15L * norm) {
      square -= norm * norm;
      pair = pairs.erase(pair);
    } else {
      basis.push_back(left / left.norm());
      ++pair;
    }
  }
}

Reference::Matrix Reference::pseudo_inverse(const std::deque<Pair>& pairs) const {
  const Values weights = equations_.weights();
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> v(weights.size(), std::ssize(pairs));
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    v.col(j) = pairs[static_cast<std::size_t>(j)].v.cwiseProduct(weights).cast<long double>();
  }
  const decltype(v) identity = decltype(v)::Identity(v.rows(), v.rows());
  const decltype(v) inverse = v.householderQr().solve(identity);
  return inverse.cast<double>() * weights.asDiagonal();
}

Reference::Matrix Reference::update() const {
  // without reused windows, the pairs of the last one are not brought up to date
  const bool as_added = settings_.time_windows_reused == 0 && restart_ && !restart_->always_build;
  Matrix rest(jacobian_.rows(), std::ssize(pairs_));
  for (Eigen::Index j = 0; j < rest.cols(); ++j) {
    const Pair& pair = pairs_[static_cast<std::size_t>(j)];
    rest.col(j) = as_added ? pair.rest : pair.w - jacobian_ * pair.v;
  }
  return rest * pseudo_inverse(pairs_);
}

void Reference::add(const State& x, const State& output) {
  last_ = now_;
  now_ = {equations_.of(output) - equations_.of(x), equations_.all(output), equations_.of(output)};
  if (++iteration_ > 1) {
    const Values v = now_.residual - last_.residual;
    const Values w = now_.output - last_.output;
    pairs_.push_front({v, w, 0, w - jacobian_ * v});
    if (std::ssize(pairs_) >
        std::min<std::ptrdiff_t>(settings_.max_used_iterations, now_.residual.size())) {
      pairs_.pop_back();
    }
  }
}

State Reference::step(const State& x, const State& output) {
  add(x, output);
  State next = output;
  if (iteration_ == 1 && (starts_ || settings_.enforce_initial_relaxation)) {
    for (std::size_t f = 0; f < x.size(); ++f) {
      for (std::size_t i = 0; i < x[f].size(); ++i) {
        next[f][i] = x[f][i] + settings_.initial_relaxation * (output[f][i] - x[f][i]);
      }
    }
    return next;
  }
  equations_.update(now_.residual, now_.answers);
  filter(pairs_);
  built_ = jacobian_ + update();
  const Values values = now_.output - built_ * now_.residual;
  if (iteration_ == 1 && settings_.time_windows_reused == 0) {
    pairs_.clear();
  }
  const double* value = values.data();
  for (Vector& field : next) {
    std::copy_n(value, field.size(), field.begin());
    value += field.size();
  }
  return next;
}

/// To the largest singular values, with every field divided by its size.
void Reference::truncate_jacobian() {
  const Values left = equations_.weights_of_all(now_.output);
  const Values right = equations_.weights();
  const Eigen::JacobiSVD<Matrix> svd(
      left.asDiagonal() * jacobian_ * right.cwiseInverse().asDiagonal(),
      Eigen::ComputeThinU | Eigen::ComputeThinV);
  Values values = svd.singularValues();
  for (double& value : values) {
    value = value > restart_->truncation * svd.singularValues()[0] ? value : 0;
  }
  jacobian_ = left.cwiseInverse().asDiagonal() * svd.matrixU() * values.asDiagonal() *
              svd.matrixV().transpose() * right.asDiagonal();
}

void Reference::restart() {
  const bool due = std::ssize(updates_) >= restart_->chunk_size;
  if (due && restart_->mode == RestartMode::zero) {
    jacobian_.setZero();
    updates_.clear();
  } else if (due && restart_->mode == RestartMode::svd) {
    truncate_jacobian();
    updates_.clear();
  } else if (due && restart_->mode == RestartMode::least_squares) {
    std::deque<Pair> kept = past_;
    filter(kept);
    Matrix w(jacobian_.rows(), std::ssize(kept));
    for (Eigen::Index j = 0; j < w.cols(); ++j) {
      w.col(j) = kept[static_cast<std::size_t>(j)].w;
    }
    jacobian_ = w * pseudo_inverse(kept);
    updates_.clear();
  } else if (restart_->mode == RestartMode::slide && std::ssize(updates_) > restart_->chunk_size) {
    jacobian_ -= updates_.front();
    updates_.erase(updates_.begin());
  }
}

/// A window is one that has pairs. Without windows to reuse the pairs of this one are for the first
/// step of the next.
void Reference::forget_old_pairs() {
  std::vector<int> windows;
  for (Pair& pair : pairs_) {
    ++pair.age;
    if (windows.empty() || windows.back() != pair.age) {
      windows.push_back(pair.age);
    }
  }
  const auto reused = static_cast<std::size_t>(std::max(settings_.time_windows_reused, 1));
  if (settings_.time_windows_reused == 0 && settings_.enforce_initial_relaxation) {
    pairs_.clear();
  }
  while (windows.size() > reused && !pairs_.empty() && pairs_.back().age > windows[reused - 1]) {
    pairs_.pop_back();
  }
}

void Reference::complete_window(const State& x, const State& output) {
  add(x, output);
  if (restart_ && restart_->always_build) {
    jacobian_ = built_;
  } else if (restart_) {
    filter(pairs_);
    const bool has_learnt =
        settings_.time_windows_reused == 0 && !pairs_.empty() && pairs_.front().age > 0;
    updates_.push_back(has_learnt ? Matrix(0 * jacobian_) : update());
    jacobian_ += updates_.back();
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      if (pair->age == 0) {
        past_.push_front(*pair);
      }
    }
    while (!past_.empty() && past_.back().age >= restart_->reused_windows) {
      past_.pop_back();
    }
    restart();
    for (Pair& pair : past_) {
      ++pair.age;
    }
  }
  forget_old_pairs();
  equations_.complete_window(now_.answers);
  starts_ = starts_ && iteration_ == 1;
  iteration_ = 0;
}

} // namespace isthmus::acceleration
