// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/weights.hpp"

#include <cmath>
#include <utility>

namespace isthmus::acceleration {

namespace {

constexpr double nothing = 1e-14; // a share of the residual that is rounding

} // namespace

void Weights::initialize(std::vector<double> scalings, std::span<const EquationRange> blocks) {
  blocks_.assign(blocks.begin(), blocks.end());
  sums_.assign(scalings.size(), 0);
  has_values_ = false;
  windows_ = 0;
  if (settings_.kind == PreconditionerType::constant) {
    values_ = std::move(scalings);
  } else {
    values_.assign(scalings.size(), 1);
  }
  spread();
}

void Weights::fit(std::span<const EquationRange> blocks) {
  blocks_.assign(blocks.begin(), blocks.end());
  of_blocks_.clear();
  for (const EquationRange& block : blocks_) {
    of_blocks_.push_back(block.weight < values_.size() ? values_[block.weight] : 1);
  }
  if (settings_.kind == PreconditionerType::constant) {
    spread();
  }
}

/// The weights of the fields to all of their rows.
void Weights::spread() {
  of_blocks_.clear();
  ends_.assign(values_.size(), 0);
  for (const EquationRange& block : blocks_) {
    of_blocks_.push_back(values_[block.primary]);
    ends_[block.primary] = block.end;
  }
}

/// A field that is zero keeps its weight.
void Weights::take(std::size_t field, double divisor) {
  const double weight = 1 / divisor;
  values_[field] = std::isfinite(weight) ? weight : values_[field];
}

void Weights::take_values(std::span<const Norms> norms) {
  for (std::size_t f = 0; f < norms.size(); ++f) {
    take(f, norms[f].value);
  }
  has_values_ = true;
  spread();
}

void Weights::update_sums(std::span<const Norms> norms) {
  double total = 0;
  for (const Norms& norm : norms) {
    total = std::hypot(total, norm.residual);
  }
  bool changed = windows_ == 0 || !settings_.update_on_threshold;
  for (std::size_t f = 0; f < norms.size() && total > 0; ++f) {
    sums_[f] += norms[f].residual / total;
    const double change = sums_[f] * values_[f];
    changed = changed || (sums_[f] > nothing && (change > 10 || change < 0.1));
  }
  for (std::size_t f = 0; f < norms.size() && changed; ++f) {
    if (sums_[f] > nothing) {
      take(f, sums_[f]);
    }
  }
  if (changed) {
    spread();
  }
}

void Weights::update(std::span<const Norms> norms) {
  if (frozen()) {
    return;
  }
  if (settings_.kind == PreconditionerType::residual_sum) {
    update_sums(norms);
  } else if (settings_.kind == PreconditionerType::residual) {
    for (std::size_t f = 0; f < norms.size(); ++f) {
      take(f, norms[f].residual);
    }
    spread();
  } else if (settings_.kind == PreconditionerType::value && !has_values_) {
    take_values(norms);
  }
}

void Weights::complete_window(std::span<const Norms> norms) {
  if (settings_.kind == PreconditionerType::value && !frozen()) {
    take_values(norms);
  }
  ++windows_;
  sums_.assign(sums_.size(), 0);
}

std::vector<double> Weights::save() const {
  std::vector<double> saved = values_;
  saved.push_back(windows_);
  return saved;
}

void Weights::restore(std::span<const double> saved) {
  const std::size_t n = values_.size();
  values_.assign(saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(n));
  windows_ = static_cast<int>(saved[n]);
  has_values_ = windows_ > 0;
  spread();
}

} // namespace isthmus::acceleration
