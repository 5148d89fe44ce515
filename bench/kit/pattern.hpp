// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fluid.hpp"

#include <string>
#include <vector>

namespace bench {

/// So many particles, ghosts included, to or from a rank.
struct Row {
  int rank;
  int count;
};

/// Who sends how many particles to whom in every step of a flow, on a number of ranks that did not
/// take part: files made by one process, of which each rank of a later job reads its own rows.
class Pattern {
 public:
  /// Of one rank.
  struct Step {
    bool divided = false; // new bricks, new partners
    bool open = false;    // some rank sends to one that is no partner
    std::vector<Row> sends;
    std::vector<Row> receives;
    std::vector<int> partners; // if divided, and of the first step
  };

  /// Advances the fluid and writes FOLDER/pattern-RANKS for each number of ranks. Bricks are made
  /// new in every tenth step.
  static void record(Fluid& fluid, const std::string& folder, int steps,
                     const std::vector<int>& ranks);
  /// Also what the particle solver wrote on so many ranks ([output] trace), a name with .csv.
  static std::vector<Step> read(const std::string& file, int rank, int ranks, int steps);
  /// Without a flow: ranks on a torus, nearly square; each sends 1 to 8 particles, other numbers in
  /// every step, to the 8 around it.
  static std::vector<Step> around(int rank, int ranks, int steps);

 private:
  static std::vector<Step> read_trace(const std::string& file, int rank, int ranks, int steps);
};

} // namespace bench
