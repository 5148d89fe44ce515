// SPDX-License-Identifier: BSD-3-Clause
#include "model/residual_weights.hpp"

#include <algorithm>

namespace walks {

void ResidualWeights::fit(std::vector<std::size_t> sizes) {
  sizes_ = std::move(sizes);
  weights_.resize(sizes_.size(), 1);
  sums_.resize(sizes_.size(), 0);
}

void ResidualWeights::update(const Values& residual) {
  const Values norms = norms_of(residual, sizes_);
  const double total = norm(norms);
  bool is_due = is_first_window_;
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    sums_[f] += total > 0 ? norms[f] / total : 0;
    const double change = sums_[f] * weights_[f];
    is_due |= sums_[f] > 1e-14 && (change > 10 || change < 0.1);
  }
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    weights_[f] = is_due && sums_[f] > 1e-14 ? 1 / sums_[f] : weights_[f];
  }
}

void ResidualWeights::end_window() {
  is_first_window_ = false;
  std::fill(sums_.begin(), sums_.end(), 0);
}

Values ResidualWeights::weighted(Values residual) const {
  std::size_t at = 0;
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    for (const std::size_t end = at + sizes_[f]; at < end; ++at) {
      residual[at] *= weights_[f];
    }
  }
  return residual;
}

} // namespace walks
