// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace isthmus::rendezvous {

// Where boxes of two participants meet: cells of space, the grid of those that are in use, and what
// the owner of some of them finds there.

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

/// Two boxes that meet do so in several cells of a level, and here in the one that counts: that of
/// the lowest corner of what they share.
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

/// Where boxes of both sides meet, known to all: a box lies on the level that fits its size. Two
/// boxes meet on the coarser of their levels, so each is entered on its own level and on those
/// coarser ones that the other side uses; at most eight cells per level.
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

  /// False if a box is so much larger than its side's were that it would touch many cells.
  [[nodiscard]] bool fits(Side side, const geometry::Box& box) const {
    return !of(side).empty() && level_of(box) <= level(side, box) + 1;
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
struct Delta {
  Side side;
  int rank;
  std::vector<std::byte> address;
  std::vector<geometry::Box> removed;
  std::vector<geometry::Box> added;

  [[nodiscard]] bool empty() const { return removed.empty() && added.empty(); }
};

void write(Writer& writer, const Delta& delta);
[[nodiscard]] Delta read_delta(Reader& reader);

/// What a rank of a side learns about one of the other side.
struct Note {
  Side side;
  int rank;    // who learns
  int partner; // about whom
  int change;  // of the number of pairs of boxes that meet
  std::vector<std::byte> address;
};

void write(Writer& writer, const Note& note);
[[nodiscard]] Note read_note(Reader& reader);

/// The part of the grid that one rank owns: which boxes of both sides lie in its cells. Any
/// sequence of deltas leads to the same state and, summed up, to the same notes.
class Matches {
 public:
  Matches(const Grid& grid, int rank, int ranks) : grid_(grid), rank_(rank), ranks_(ranks) {}

  /// What changed for the ranks on both sides.
  [[nodiscard]] std::vector<Note> apply(std::span<const Delta> deltas);

  /// Bytes in use.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Entry {
    Side side;
    int level;
    int rank;
    geometry::Box box;

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct Hash {
    std::size_t operator()(const Cell& cell) const { return hash(cell); }
  };
  struct Address {
    int entries = 0;
    std::vector<std::byte> bytes;
  };
  using Sum = std::map<std::pair<int, int>, int>; // provider's and receiver's rank

  void enter(const Delta& delta, const geometry::Box& box, Sum& sum);
  void remove(const Delta& delta, const geometry::Box& box, Sum& sum);
  void count(const Cell& cell, const std::vector<Entry>& entries, const Entry& entry, int change,
             Sum& sum) const;
  void note(std::pair<int, int> pair, int change, std::vector<Note>& notes) const;
  void forget_unused();
  [[nodiscard]] Entry entry(const Delta& delta, const geometry::Box& box) const {
    return {delta.side, grid_.level(delta.side, box), delta.rank, box};
  }

  Grid grid_;
  int rank_;
  int ranks_;
  std::unordered_map<Cell, std::vector<Entry>, Hash> cells_;
  std::map<std::pair<Side, int>, Address> addresses_;
};

} // namespace isthmus::rendezvous
