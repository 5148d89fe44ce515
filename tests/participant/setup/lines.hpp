// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/scenario.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

/// Meshes that change: points along a line.
namespace couple {

/// A version of a participant's meshes: some points along a wavy line, dealt to ranks in pieces.
struct Line {
  std::vector<double> x;
  int empty_rank; // -1: none
  bool backwards; // numbered
};

class Dice {
 public:
  explicit Dice(int seed) : random_(static_cast<unsigned>(seed)) {}
  int operator()(int from, int to) {
    return from + static_cast<int>(random_() % static_cast<unsigned>(to - from + 1));
  }

 private:
  std::mt19937 random_;
};

/// What a rank holds of a line.
struct Piece {
  std::vector<int> entries; // of the whole line
  std::vector<double> places;
  std::vector<int> edges;
};

using Kind = std::array<const char*, 3>; // mapping, direction, constraint

inline const std::vector<Kind> mixed{{"nearest-neighbor", "read", "consistent"},
                                     {"nearest-neighbor", "write", "conservative"},
                                     {"nearest-projection", "write", "consistent"},
                                     {"nearest-projection", "read", "conservative"}};
/// Of which plans are made again where something has changed.
inline const std::vector<Kind> patched{{"nearest-neighbor", "read", "consistent"},
                                       {"nearest-projection", "read", "consistent"}};

constexpr int per_seed = 100; // versions

/// Versions from 3 on differ in the places of a few points only; those of a seed follow each other
/// by moves, insertions, deletions, other lines.
[[nodiscard]] Line line(const std::string& participant, int version);
[[nodiscard]] Piece piece(const Line& line, int rank, int size);

/// Both ways with each of some mappings, half of them on one mesh.
[[nodiscard]] Scenario scenario(const std::string& scheme, int windows,
                                const std::vector<Kind>& kinds = mixed);

} // namespace couple
