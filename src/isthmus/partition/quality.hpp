// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// What a partition is worth. The same on all ranks.
struct Quality {
  std::vector<double> imbalance; // largest over mean load, of each constraint
  int empty;                     // parts without vertices
  GlobalIndex cut;               // weight of the edges between parts
  GlobalIndex volume;            // vertices that parts receive from others, all together
  GlobalIndex largest_volume;    // of one part
  int most_partners;             // other parts next to one part
  double mean_partners;
  double efficiency; // mean load over the largest sum of load and halo_cost * volume of a part
};

/// Collective. Judges the parts of the own vertices; `halo_cost` is the time of one received vertex
/// in units of the first constraint. For reports: some memory for each part on every rank.
[[nodiscard]] Quality assess(const comm::Comm& comm, const Graph& graph, std::span<const int> of,
                             int parts, double halo_cost = 0.0);

/// Collective. The parts of the targets of the own rows, in their order; `of` are those of the own
/// vertices. Ranks ask the owners of what they lack.
[[nodiscard]] std::vector<int> parts_of_targets(const comm::Comm& comm, const Graph& graph,
                                                std::span<const int> of);

} // namespace isthmus::partition
