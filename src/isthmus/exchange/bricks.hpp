// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::exchange {

using Position = std::array<double, 3>;

/// Who owns which part of space, for particles: columns between cuts in x, each of them divided by
/// its own cuts in y; z is not divided. The outer bricks reach to infinity. Plain data that is the
/// same on all ranks: everybody can find the owner of any position. Bricks may be empty (equal
/// cuts).
class Bricks {
 public:
  /// One brick, of rank 0.
  Bricks() : Bricks({}, {{}}) {}
  /// `x` ascending; `y` one ascending list for each of the x.size() + 1 columns. Bricks are dealt
  /// to the ranks column by column.
  Bricks(std::vector<double> x, std::vector<std::vector<double>> y);

  [[nodiscard]] int size() const { return first_.back(); }
  [[nodiscard]] int owner(const Position& at) const;
  /// The ranks whose bricks lie within `radius` of a position in x and y, the owner included;
  /// ascending.
  void near(const Position& at, double radius, std::vector<int>& ranks) const;
  /// The other ranks whose bricks lie within `reach` of that of `rank` in x and y; ascending. Empty
  /// bricks neither have neighbours nor are any, unless they are wanted: then all bricks hang
  /// together.
  [[nodiscard]] std::vector<int> neighbours(int rank, double reach, bool with_empty = false) const;
  /// No rank with a brick, empty or not, is further from another than so many steps from neighbour
  /// to neighbour.
  [[nodiscard]] int steps() const;

 private:
  std::vector<double> x_;
  std::vector<std::vector<double>> y_;
  std::vector<int> first_; // rank of each column, and the number of bricks
};

/// Collective. Bricks for `ranks` ranks with about as many of all positions in each, or about the
/// same sum of their weights, if these are given. Cuts lie on multiples of `bucket`; they follow
/// from the sums over slices of that width, and are the same however the positions are spread over
/// the ranks. The serial Comm is one that has all.
[[nodiscard]] Bricks balanced_bricks(const comm::Comm& comm, int ranks,
                                     std::span<const Position> positions, double bucket,
                                     std::span<const std::int64_t> weights = {});

} // namespace isthmus::exchange
