// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/vectors.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace walks {

/// What the residual of each primary datum weighs: one over the sum of its shares in this window.
class ResidualWeights {
 public:
  /// For data of so many values each.
  void fit(std::vector<std::size_t> sizes);
  void update(const Values& residual);
  void end_window();

  [[nodiscard]] const std::vector<std::size_t>& sizes() const { return sizes_; }
  [[nodiscard]] Values weighted(Values residual) const;

 private:
  std::vector<std::size_t> sizes_;
  Values weights_, sums_;
  bool is_first_window_ = true;
};

} // namespace walks
