// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/edges.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::convection {

/// The inverse of a small matrix, by rows, with pivots; whether there is one.
template <std::size_t width>
bool invert(std::array<double, width * width> a, double* inverse);

extern template bool invert<1>(std::array<double, 1>, double*);
extern template bool invert<4>(std::array<double, 16>, double*);

/// Which blocks rows have: those of row i are columns[offsets[i]…offsets[i+1]), ascending, with its
/// own at places[i].
struct BlockPattern {
  std::vector<std::size_t> offsets = {0};
  std::vector<LocalIndex> columns;
  std::vector<std::size_t> places;

  [[nodiscard]] std::size_t num_rows() const { return places.size(); }
  /// Where the block of this row and column is, which must be there.
  [[nodiscard]] std::size_t place_of(std::size_t row, LocalIndex column) const;
};

/// Of nodes and their neighbours by edges, which need not be sorted.
[[nodiscard]] BlockPattern make_pattern(std::size_t num_rows, std::span<const EdgeEnds> ends);

/// Matrices of 4 x 4 blocks in single precision, column by column: for preconditioners, which read
/// half of the memory that way.
namespace blocks4 {

constexpr std::size_t size = 16;

/// y += A x.
void multiply(const BlockPattern& pattern, std::span<const float> values, std::span<const double> x,
              std::span<double> y);

} // namespace blocks4

/// Incomplete factors without fill of 4 x 4 blocks.
class BlockIlu {
 public:
  /// `values` as in blocks4. Unknowns whose own entry is zero count as fixed. Throws Error if a
  /// block cannot be inverted. `pattern` must outlive this.
  void factor(const BlockPattern& pattern, std::span<const float> values);
  /// z = (L U)^-1 r.
  void solve(std::span<const double> r, std::span<double> z) const;

 private:
  const BlockPattern* pattern_ = nullptr;
  std::vector<float> factors_; // L with unit blocks, inverse blocks in the diagonal, U
};

} // namespace isthmus::convection
