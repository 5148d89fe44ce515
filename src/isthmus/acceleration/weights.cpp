// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::acceleration {

void Weights::initialize(std::vector<double> scalings) {
  divisors_.assign(scalings.size(), 0);
  latest_.assign(scalings.size(), 0);
  windows_ = 0;
  if (settings_.kind == Preconditioner::constant) {
    values_ = std::move(scalings);
  } else {
    values_.assign(scalings.size(), 1);
  }
}

/// A field that is zero keeps its weight.
void Weights::take(std::span<const double> divisors) {
  for (std::size_t f = 0; f < values_.size(); ++f) {
    const double weight = 1 / divisors[f];
    values_[f] = std::isfinite(weight) ? weight : values_[f];
  }
}

void Weights::update_sums(std::span<const Norms> norms) {
  double total = 0;
  for (const Norms& norm : norms) {
    total = std::hypot(total, norm.residual);
  }
  bool changed = windows_ == 0 || !settings_.update_on_threshold;
  for (std::size_t f = 0; f < norms.size() && total > 0; ++f) {
    divisors_[f] += norms[f].residual / total;
    const double change = divisors_[f] * values_[f];
    changed = changed || (change > 0 && (change > 10 || change < 0.1));
  }
  if (changed) {
    take(divisors_);
  }
}

void Weights::update(std::span<const Norms> norms) {
  if (settings_.freeze_after >= 0 && windows_ >= settings_.freeze_after) {
    return;
  }
  std::transform(norms.begin(), norms.end(), latest_.begin(),
                 [](const Norms& norm) { return norm.value; });
  if (settings_.kind == Preconditioner::residual_sum) {
    update_sums(norms);
  } else if (settings_.kind == Preconditioner::residual) {
    std::transform(norms.begin(), norms.end(), divisors_.begin(),
                   [](const Norms& norm) { return norm.residual; });
    take(divisors_);
  } else if (settings_.kind == Preconditioner::value) {
    take(windows_ == 0 ? latest_ : divisors_);
  }
}

void Weights::complete_window() {
  ++windows_;
  if (settings_.kind == Preconditioner::residual_sum) {
    divisors_.assign(divisors_.size(), 0);
  } else if (settings_.kind == Preconditioner::value) {
    divisors_ = latest_;
  }
}

std::vector<double> Weights::save() const {
  std::vector<double> saved = values_;
  saved.insert(saved.end(), divisors_.begin(), divisors_.end());
  saved.push_back(windows_);
  return saved;
}

void Weights::restore(std::span<const double> saved) {
  const std::size_t n = values_.size();
  values_.assign(saved.begin(), saved.begin() + n);
  divisors_.assign(saved.begin() + n, saved.begin() + 2 * n);
  windows_ = static_cast<int>(saved[2 * n]);
}

} // namespace isthmus::acceleration
