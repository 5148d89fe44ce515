// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/residual_weights.hpp"
#include "model/vectors.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace walks {

/// Differences to the iteration before.
struct Column {
  Values residual;
  Values answer;
  Values rest; // of the answer, beside what the Jacobian of the windows before says
  int age = 0; // windows
};

/// What quasi-Newton methods remember, newest first, and the sum of it that is closest to a
/// residual.
class Columns {
 public:
  static constexpr double limit = 1e-2; // of the filter QR2, in every configuration

  void add(Column column) { all_.insert(all_.begin(), std::move(column)); }
  /// Forgets the oldest of more than so many.
  void keep(std::size_t most);
  void clear() { all_.clear(); }
  /// Gram and Schmidt, twice, newest first; who adds nothing is forgotten.
  void filter(const ResidualWeights& weights);
  /// The rests of columns in the sum that is closest to a residual, which is weighted. The filter
  /// comes before.
  void add_closest(const Values& weighted, Values& to) const;
  [[nodiscard]] bool has_new() const;
  /// A window is one that has columns; those of more than `reused` windows are forgotten, if any.
  void end_window(int reused);

 private:
  [[nodiscard]] Values least_squares(const Values& weighted) const;

  std::vector<Column> all_;
  std::vector<Values> basis_; // of the weighted columns
  std::vector<Values> triangle_;
};

} // namespace walks
