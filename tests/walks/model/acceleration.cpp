// SPDX-License-Identifier: BSD-3-Clause
#include "model/acceleration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace walks {

namespace {

double dot(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double norm(const Values& values) {
  return std::sqrt(dot(values, values));
}

void add(Values& to, double factor, const Values& what) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += factor * what[i];
  }
}

Values difference(Values a, const Values& b) {
  add(a, -1, b);
  return a;
}

/// The norm of each piece.
Values norms_of(const Values& all, const std::vector<std::size_t>& sizes) {
  Values norms;
  auto at = all.begin();
  for (const std::size_t size : sizes) {
    const auto end = at + static_cast<std::ptrdiff_t>(size);
    norms.push_back(norm({at, end}));
    at = end;
  }
  return norms;
}

} // namespace

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
    update_weights();
    update_factor();
    relax(data);
    return;
  }
  if (iteration_ == 1 && starts_) {
    relax(data);
    return;
  }
  update_weights();
  const Values next = difference(answer_, correction());
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
  sizes_.clear();
  residual_.clear();
  answer_.clear();
  norms_.clear();
  for (const Iterated& one : data) {
    answer_.insert(answer_.end(), one.answered.begin(), one.answered.end());
    if (one.is_primary) {
      const Values change = difference(one.answered, one.given);
      residual_.insert(residual_.end(), change.begin(), change.end());
      sizes_.push_back(change.size());
      norms_.push_back(norm(one.answered));
    }
  }
  look_for_noise();
  weights_.resize(sizes_.size(), 1);
  sums_.resize(sizes_.size(), 0);
  if (iteration_ > 1) {
    Column column{difference(residual_, before_residual_), difference(answer_, before_answer_), {}};
    column.rest = column.answer;
    for (std::size_t i = 0; i < jacobian_.size(); ++i) {
      add(column.rest, -column.residual[i], jacobian_[i]);
    }
    const Values sizes = norms_of(column.residual, sizes_);
    bool means_something = false;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
      means_something |= sizes[f] > rounding * norms_[f];
    }
    if (means_something && kind_ != "aitken") {
      columns_.insert(columns_.begin(), column);
    }
  }
  columns_.resize(std::min({columns_.size(), max_columns, residual_.size()}));
  if (kind_ != "aitken") { // whose factor still needs it
    before_residual_ = residual_;
  }
  before_answer_ = answer_;
}

void Acceleration::look_for_noise() {
  constexpr double rounding = 1e-5; // grown over iterations
  const Values sizes = norms_of(residual_, sizes_);
  largest_.resize(sizes.size(), 0);
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    largest_[f] = std::max({largest_[f], norms_[f], sizes[f]});
    is_noisy_ |= largest_[f] > 0 && sizes[f] <= rounding * largest_[f];
  }
  is_noisy_ |= iteration_ > 1 && norm(residual_) > 0 &&
               norm(difference(residual_, before_residual_)) <= rounding * norm(residual_);
}

void Acceleration::relax(std::vector<Iterated>& data) const {
  for (Iterated& one : data) {
    add(one.given, factor_, difference(one.answered, one.given));
  }
}

void Acceleration::update_weights() {
  const Values norms = norms_of(residual_, sizes_);
  const double total = norm(norms);
  bool is_due = windows_ == 0;
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    sums_[f] += total > 0 ? norms[f] / total : 0;
    const double change = sums_[f] * weights_[f];
    is_due |= sums_[f] > 1e-14 && (change > 10 || change < 0.1);
  }
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    weights_[f] = is_due && sums_[f] > 1e-14 ? 1 / sums_[f] : weights_[f];
  }
}

void Acceleration::update_factor() {
  if (iteration_ == 1) {
    factor_ = std::copysign(std::min(std::abs(factor_), relaxation), factor_);
  } else {
    const Values change = weighted(difference(residual_, before_residual_));
    const double product = dot(weighted(before_residual_), change);
    factor_ *= product != 0 ? -product / dot(change, change) : 1;
  }
  before_residual_ = residual_;
}

/// Gram and Schmidt, twice, newest first; who adds nothing is forgotten.
void Acceleration::filter() {
  basis_.clear();
  triangle_.clear();
  std::erase_if(columns_, [this](const Column& column) {
    Values rest = weighted(column.residual);
    const double size = norm(rest);
    Values parts(basis_.size(), 0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < basis_.size(); ++i) {
        const double part = dot(basis_[i], rest);
        parts[i] += part;
        add(rest, -part, basis_[i]);
      }
    }
    parts.push_back(norm(rest));
    if (parts.back() <= 1e-15 * size || parts.back() < limit * size) {
      return true;
    }
    for (double& value : rest) {
      value /= parts.back();
    }
    basis_.push_back(std::move(rest));
    triangle_.push_back(std::move(parts));
    return false;
  });
}

Values Acceleration::weighted(const Values& residual) const {
  Values result = residual;
  std::size_t at = 0;
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    for (const std::size_t end = at + sizes_[f]; at < end; ++at) {
      result[at] *= weights_[f];
    }
  }
  return result;
}

/// The sum of columns that is closest to a residual, by their factors.
Values Acceleration::least_squares(const Values& residual) const {
  const Values right = weighted(residual);
  Values factors(basis_.size(), 0);
  for (std::size_t i = basis_.size(); i-- > 0;) {
    factors[i] = dot(basis_[i], right);
    for (std::size_t j = i + 1; j < basis_.size(); ++j) {
      factors[i] -= triangle_[j][i] * factors[j];
    }
    factors[i] /= triangle_[i][i];
  }
  return factors;
}

Values Acceleration::correction() {
  filter();
  Values result(answer_.size(), 0);
  for (std::size_t i = 0; i < jacobian_.size(); ++i) {
    add(result, residual_[i], jacobian_[i]);
  }
  const Values factors = least_squares(residual_);
  for (std::size_t j = 0; j < factors.size(); ++j) {
    add(result, factors[j], columns_[j].rest);
  }
  return result;
}

void Acceleration::learn() {
  filter();
  const bool is_new = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return column.age == 0; });
  jacobian_.resize(residual_.size(), Values(answer_.size(), 0));
  for (std::size_t i = 0; is_new && i < residual_.size(); ++i) {
    Values unit(residual_.size(), 0);
    unit[i] = 1;
    const Values factors = least_squares(unit);
    for (std::size_t j = 0; j < factors.size(); ++j) {
      add(jacobian_[i], factors[j], columns_[j].rest);
    }
  }
}

void Acceleration::end_window() {
  if (kind_ == "IQN-IMVJ") {
    learn();
  }
  if (std::any_of(columns_.begin(), columns_.end(),
                  [](const Column& column) { return column.age == 0; })) {
    for (Column& column : columns_) {
      ++column.age;
    }
  }
  std::set<int> ages;
  for (const Column& column : columns_) {
    ages.insert(column.age);
  }
  if (kind_ == "IQN-ILS" && static_cast<int>(ages.size()) > reused_windows) {
    const int oldest = *std::next(ages.begin(), reused_windows - 1);
    std::erase_if(columns_, [oldest](const Column& column) { return column.age > oldest; });
  }
  starts_ = starts_ && iteration_ == 1;
  iteration_ = 0;
  ++windows_;
  std::fill(sums_.begin(), sums_.end(), 0);
}

} // namespace walks
