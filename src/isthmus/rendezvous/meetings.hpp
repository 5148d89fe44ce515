// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::rendezvous {

// Where boxes of two participants, or of the ranks of one, meet: cells of space, the grid of those
// that are in use, and what the owner of some of them finds there.

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

/// Whether two boxes meet, and this cell is the one where that counts: where the lowest corner of
/// what they share lies. They may have several cells of a level in common.
[[nodiscard]] bool meet_in(const Cell& cell, const geometry::Box& one, const geometry::Box& other);

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

[[nodiscard]] constexpr Side other(Side side) {
  return side == Side::provider ? Side::receiver : Side::provider;
}

/// The levels that boxes of each side are on, known to all. A box is on the level that fits its
/// size. Two boxes meet on the coarser of their levels, so each is entered on its own level and on
/// those coarser ones that the other side uses; at most eight cells per level.
struct Grid {
  std::array<Levels, 2> used; // by side

  [[nodiscard]] const Levels& of(Side side) const { return used[static_cast<std::size_t>(side)]; }
  void insert(Side side, const geometry::Box& box) {
    used[static_cast<std::size_t>(side)].insert(level_of(box));
  }

  /// The level of a box, on one that its side uses.
  [[nodiscard]] int level(Side side, const geometry::Box& box) const {
    return of(side).at_least(level_of(box));
  }

  /// All cells in which the box is entered.
  template <typename F>
  void for_each_cell(Side side, const geometry::Box& box, F&& f) const {
    const Levels& opposite = of(other(side));
    if (opposite.empty()) {
      return;
    }
    const int own = level(side, box);
    for (int l = std::max(own, opposite.lowest()); l <= Cell::top; ++l) {
      if (l == own || opposite.contains(l)) {
        cells_of(box, l).for_each(f);
      }
    }
  }
};

/// What one rank of a side says about its boxes.
struct RankBoxes {
  Side side;
  int rank;
  std::vector<std::byte> address;
  std::vector<geometry::Box> boxes;
};

void write(Writer& writer, const RankBoxes& of);
[[nodiscard]] RankBoxes read_boxes(Reader& reader);

/// What a rank of a side learns: boxes of it and of a rank of the other side meet.
struct Meeting {
  Side side;
  int rank;    // who learns
  int partner; // about whom
  std::vector<std::byte> address;
};

void write(Writer& writer, const Meeting& meeting);
[[nodiscard]] Meeting read_meeting(Reader& reader);

/// Of boxes whose cells `rank` owns, or owns in part: which ranks of both sides meet in those
/// cells, for both of them. Each pair of boxes meets at one owner only, so ranks with several
/// boxes may learn of each other from several owners.
[[nodiscard]] std::vector<Meeting> meetings_in(const Grid& grid, int rank, int ranks,
                                               std::span<const RankBoxes> all);

/// Boxes in which another rank of the same participant wants what lies there.
struct WantedBoxes {
  int rank;
  std::vector<geometry::Box> boxes;
};

/// Collective. The ranks that want something in boxes that meet those in which this rank `has`
/// something, ascending, each with its boxes that do. Corners of boxes are finite, and empty
/// boxes are left out. Boxes meet in cells of space that are dealt over the ranks by a hash (as in
/// Plimpton, Hendrickson, Stewart, doi 10.1016/j.jpdc.2003.12.006): no rank knows all boxes.
[[nodiscard]] std::vector<WantedBoxes> wanted_boxes(const comm::Comm& comm,
                                                    std::span<const geometry::Box> has,
                                                    std::span<const geometry::Box> wants);

} // namespace isthmus::rendezvous
