// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace isthmus::rendezvous {

/// Space is divided into cubes of edge 2^level, for each level anew; nothing needs to be agreed
/// upon. Level `top` is one cube.
struct Cell {
  static constexpr int bottom = -64;
  static constexpr int top = 63;

  int level;
  std::array<std::int32_t, 3> at;

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// A set of levels.
struct Levels {
  std::array<std::uint64_t, 2> bits{};

  void insert(int level);
  [[nodiscard]] bool contains(int level) const;
  [[nodiscard]] bool empty() const { return bits[0] == 0 && bits[1] == 0; }
  [[nodiscard]] int lowest() const; // of a set that is not empty
  /// The lowest that is at least `level`, else the highest.
  [[nodiscard]] int at_least(int level) const;
};

/// The finest level on which the box touches at most two cells in each direction.
[[nodiscard]] int level_of(const geometry::Box& box);

[[nodiscard]] Cell cell_at(int level, const geometry::Point& point);

/// The cells of a level that the box touches.
struct CellRange {
  Cell lo;
  Cell hi;

  [[nodiscard]] std::int64_t size() const;
  template <typename F>
  void for_each(F&& f) const {
    Cell cell = lo;
    for (cell.at[2] = lo.at[2]; cell.at[2] <= hi.at[2]; ++cell.at[2]) {
      for (cell.at[1] = lo.at[1]; cell.at[1] <= hi.at[1]; ++cell.at[1]) {
        for (cell.at[0] = lo.at[0]; cell.at[0] <= hi.at[0]; ++cell.at[0]) {
          f(cell);
        }
      }
    }
  }
};

[[nodiscard]] CellRange cells_of(const geometry::Box& box, int level);

[[nodiscard]] std::uint64_t hash(const Cell& cell);

/// The rank that keeps what lies in the cell.
[[nodiscard]] int owner(const Cell& cell, int ranks);

} // namespace isthmus::rendezvous
