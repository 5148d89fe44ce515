// SPDX-License-Identifier: BSD-3-Clause
#include "model/acceleration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walks {

void Acceleration::iterate(std::vector<Iterated>& data, bool repeats) {
  observe(data);
  if (!repeats) {
    end_window();
    for (Iterated& one : data) {
      one.given = one.answered;
    }
    return;
  }
  if (kind_ == "aitken") {
    weights_.update(now_.residual);
    update_factor();
    relax(data);
    return;
  }
  if (iteration_ == 1 && starts_) {
    relax(data);
    return;
  }
  weights_.update(now_.residual);
  const Values next = difference(now_.answer, correction());
  auto at = next.begin();
  for (Iterated& one : data) {
    const auto end = at + static_cast<std::ptrdiff_t>(one.given.size());
    one.given.assign(at, end);
    at = end;
  }
  if (iteration_ == 1 && kind_ == "IQN-IMVJ") { // those of the window before serve the first step
    columns_.clear();
  }
}

void Acceleration::observe(const std::vector<Iterated>& data) {
  ++iteration_;
  std::vector<std::size_t> sizes;
  Values norms; // of what was answered
  now_ = {};
  for (const Iterated& one : data) {
    now_.answer.insert(now_.answer.end(), one.answered.begin(), one.answered.end());
    if (one.is_primary) {
      const Values change = difference(one.answered, one.given);
      now_.residual.insert(now_.residual.end(), change.begin(), change.end());
      sizes.push_back(change.size());
      norms.push_back(norm(one.answered));
    }
  }
  weights_.fit(std::move(sizes));
  look_for_noise(norms);
  if (kind_ != "aitken") { // whose factor still needs the residual before
    if (iteration_ > 1) {
      add_column(norms);
    }
    columns_.keep(std::min(max_columns, now_.residual.size()));
    before_.residual = now_.residual;
  }
  before_.answer = now_.answer;
}

void Acceleration::look_for_noise(const Values& norms) {
  constexpr double rounding = 1e-5; // grown over iterations
  const Values sizes = norms_of(now_.residual, weights_.sizes());
  largest_.resize(sizes.size(), 0);
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    largest_[f] = std::max({largest_[f], norms[f], sizes[f]});
    is_noisy_ |= largest_[f] > 0 && sizes[f] <= rounding * largest_[f];
  }
  is_noisy_ |= iteration_ > 1 && norm(now_.residual) > 0 &&
               norm(difference(now_.residual, before_.residual)) <= rounding * norm(now_.residual);
}

void Acceleration::add_column(const Values& norms) {
  Column column{
      difference(now_.residual, before_.residual), difference(now_.answer, before_.answer), {}};
  column.rest = column.answer;
  for (std::size_t i = 0; i < jacobian_.size(); ++i) {
    add(column.rest, -column.residual[i], jacobian_[i]);
  }
  const Values sizes = norms_of(column.residual, weights_.sizes());
  bool means_something = false;
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
    means_something |= sizes[f] > rounding * norms[f];
  }
  if (means_something) {
    columns_.add(std::move(column));
  }
}

void Acceleration::relax(std::vector<Iterated>& data) const {
  for (Iterated& one : data) {
    add(one.given, factor_, difference(one.answered, one.given));
  }
}

void Acceleration::update_factor() {
  if (iteration_ == 1) {
    factor_ = std::copysign(std::min(std::abs(factor_), relaxation), factor_);
  } else {
    const Values change = weights_.weighted(difference(now_.residual, before_.residual));
    const double product = dot(weights_.weighted(before_.residual), change);
    factor_ *= product != 0 ? -product / dot(change, change) : 1;
  }
  before_.residual = now_.residual;
}

Values Acceleration::correction() {
  columns_.filter(weights_);
  Values result(now_.answer.size(), 0);
  for (std::size_t i = 0; i < jacobian_.size(); ++i) {
    add(result, now_.residual[i], jacobian_[i]);
  }
  columns_.add_closest(weights_.weighted(now_.residual), result);
  return result;
}

void Acceleration::learn() {
  columns_.filter(weights_);
  jacobian_.resize(now_.residual.size(), Values(now_.answer.size(), 0));
  for (std::size_t i = 0; columns_.has_new() && i < now_.residual.size(); ++i) {
    Values unit(now_.residual.size(), 0);
    unit[i] = 1;
    columns_.add_closest(weights_.weighted(std::move(unit)), jacobian_[i]);
  }
}

void Acceleration::end_window() {
  if (kind_ == "IQN-IMVJ") {
    learn();
  }
  columns_.end_window(kind_ == "IQN-ILS" ? reused_windows : 0);
  weights_.end_window();
  starts_ = starts_ && iteration_ == 1;
  iteration_ = 0;
}

} // namespace walks
