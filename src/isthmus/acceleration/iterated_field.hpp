// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace isthmus::acceleration {

/// One coupling data on this rank: `samples` points in time of the window, the last at its end,
/// each of `size` values, sample after sample.
struct IteratedField {
  std::string name;
  std::size_t size = 0; // values per sample on this rank
  std::size_t samples = 1;
  bool primary = true;            // false: follows the primary fields, has no part in the equations
  double scaling = 1;             // weight for PreconditionerType::constant
  std::vector<double> lower = {}; // bounds per component, value i has component i % components;
  std::vector<double> upper = {}; // empty where there is none
  /// Per value of a sample: not 0 if it only follows and counts neither in norms nor in equations,
  /// because another rank holds it too, or because it is a gradient. Empty: all count.
  std::vector<char> follows = {};
  /// Values per sample beside these, which are always zero: they count among the unknowns of all
  /// ranks, which limit the columns of quasi-Newton methods.
  std::size_t zeros = 0;

  [[nodiscard]] std::size_t rows() const { return size * samples; }
};

/// One field in one iteration.
struct Iterate {
  std::span<const double> input; // x_k, what the solvers were given
  std::span<double> output;      // H(x_k), what they answered; then x_{k+1}
};

/// Of one field at the end of the window, over all ranks.
struct Norms {
  double residual = 0; // |H(x_k) - x_k|
  double value = 0;    // |H(x_k)|
};

} // namespace isthmus::acceleration
