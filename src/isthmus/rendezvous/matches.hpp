// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/rendezvous/grid.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace isthmus::rendezvous {

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
