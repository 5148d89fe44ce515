// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES with the preconditioner on the right, so that the residual is that of the system.
// One reduction gives all products of a step and the norm; where subtracting cancels digits, a
// second one orthogonalizes again (Giraud, Langou, Rozloznik, doi 10.1016/j.camwa.2005.08.009).
#include "isthmus/la/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

class Gmres {
 public:
  explicit Gmres(Iteration& iteration)
      : it_(iteration), restart_(static_cast<std::size_t>(std::max(1, it_.settings.restart))) {
    for (std::size_t i = 0; i <= restart_; ++i) {
      basis_.push_back(it_.vector());
    }
    triangle_.resize(restart_ * restart_);
    parts_.resize(restart_ + 2);
    step_.resize(restart_ + 2);
    cosine_.resize(restart_);
    sine_.resize(restart_);
    rhs_.resize(restart_ + 1);
  }

  void run() {
    bool first = true;
    while (!it_.ended()) {
      it_.subtract_product(basis_[0]);
      const double norm = std::sqrt(it_.sums({local_dot(basis_[0], basis_[0])}).front());
      if (first ? it_.starts_at(norm) : norm == 0) {
        return;
      }
      first = false;
      scale(basis_[0], 1 / norm);
      rhs_.assign(rhs_.size(), 0);
      rhs_[0] = norm;
      std::size_t k = 0;
      while (k < restart_ && !it_.ended()) {
        k += extend(k) ? 1 : 0;
      }
      correct(k);
    }
  }

 private:
  /// Step k of the Arnoldi process. Returns whether it gave one more column.
  bool extend(std::size_t k) {
    it_.precondition(basis_[k], preconditioned_);
    const auto w = basis_[k + 1];
    it_.multiply(preconditioned_, w);
    std::fill(step_.begin(), step_.end(), 0);
    double before = 0;
    double after = orthogonalize(k, before);
    constexpr double lost = 0.5; // of the square: twice is enough
    if (std::isfinite(before) && after < lost * before) {
      after = orthogonalize(k, before);
    }
    const double norm = std::sqrt(std::max(0.0, after));
    constexpr double nothing = 1e-14;
    const bool closed = !(norm > nothing * std::sqrt(before)); // the basis holds the solution
    step_[k + 1] = closed ? 0 : norm;
    if (!closed) {
      scale(w, 1 / norm);
    }
    rotate(k);
    if (triangle_[k * restart_ + k] == 0) {
      it_.end(Reason::broke_down);
      return false;
    }
    const double residual = std::abs(rhs_[k + 1]);
    if (!it_.ends_at(std::isfinite(before) ? residual : before) && closed) {
      it_.end(Reason::attained);
    }
    return true;
  }

  /// Subtracts the basis from its newest vector, adds the coefficients to the step. Returns the
  /// square of the norm that is left.
  double orthogonalize(std::size_t k, double& before) {
    const auto w = basis_[k + 1];
    for (std::size_t j = 0; j <= k + 1; ++j) {
      parts_[j] = local_dot(basis_[j], w);
    }
    it_.touched(static_cast<double>(k) + 3);
    const auto sums = it_.sums(std::span(parts_).first(k + 2));
    before = sums[k + 1];
    double after = before;
    for (std::size_t j = 0; j <= k; ++j) {
      const double product = sums[j];
      step_[j] += product;
      after -= product * product;
      for (std::size_t i = 0; i < w.size(); ++i) {
        w[i] -= product * basis_[j][i];
      }
    }
    it_.touched(static_cast<double>(k) + 3);
    return after;
  }

  /// Brings the column of this step to triangular form.
  void rotate(std::size_t k) {
    for (std::size_t j = 0; j < k; ++j) {
      const double upper = step_[j];
      step_[j] = cosine_[j] * upper + sine_[j] * step_[j + 1];
      step_[j + 1] = cosine_[j] * step_[j + 1] - sine_[j] * upper;
    }
    const double length = std::hypot(step_[k], step_[k + 1]);
    cosine_[k] = length == 0 ? 1 : step_[k] / length;
    sine_[k] = length == 0 ? 0 : step_[k + 1] / length;
    step_[k] = length;
    rhs_[k + 1] = -sine_[k] * rhs_[k];
    rhs_[k] *= cosine_[k];
    std::copy_n(step_.begin(), k + 1,
                triangle_.begin() + static_cast<std::ptrdiff_t>(k * restart_));
  }

  /// x gets the best combination of the first k vectors.
  void correct(std::size_t k) {
    std::fill(sum_.begin(), sum_.end(), 0);
    for (std::size_t row = k; row-- > 0;) {
      for (std::size_t column = row + 1; column < k; ++column) {
        rhs_[row] -= triangle_[column * restart_ + row] * rhs_[column];
      }
      rhs_[row] /= triangle_[row * restart_ + row];
      for (std::size_t i = 0; i < sum_.size(); ++i) {
        sum_[i] += rhs_[row] * basis_[row][i];
      }
    }
    it_.precondition(sum_, preconditioned_);
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      it_.x[i] += preconditioned_[i];
    }
    it_.touched(static_cast<double>(k) + 4);
  }

  void scale(std::span<double> v, double factor) {
    for (double& value : v) {
      value *= factor;
    }
    it_.touched(2);
  }

  Iteration& it_;
  std::size_t restart_;
  std::vector<std::span<double>> basis_;
  std::span<double> preconditioned_ = it_.vector(), sum_ = it_.vector();
  std::vector<double> triangle_; // column by column
  std::vector<double> parts_, step_, cosine_, sine_, rhs_;
};

} // namespace

void run_gmres(Iteration& it) {
  Gmres(it).run();
}

} // namespace isthmus::la
