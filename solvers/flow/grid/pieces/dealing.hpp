// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/pieces.hpp"
#include "isthmus/partition/multilevel/divide.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// How blocks come to ranks.
enum class Dealing {
  count,        // as many blocks for each, in the order of their numbers
  metis,        // METIS, with the weights
  metis_halves, // METIS, once blocks are halved until each is at most a quarter of a mean load
  even          // METIS, then blocks change ranks until none is much above the mean
};

struct DealSettings {
  Dealing way = Dealing::even;
  /// Whether blocks are cut where whole ones do not come out even.
  bool cuts = false;
  double imbalance = 1.02;     // largest over mean load of a rank at which even() and cuts end
  int least = 8;               // cells of a piece along the axis of a cut
  int unit = 4;                // cuts are at multiples of it, so that coarser grids have them, too
  partition::Settings metis{}; // where METIS divides
  bool counts_faces = true;    // then an edge weighs as many faces as two pieces share, else 1
};

/// Local, the same on all ranks. Who owns what of the blocks, by ascending block, then along the
/// cuts. `weights`: the work of each block. Ranks may be left without any.
[[nodiscard]] std::vector<Piece> deal(const Topology& topology, std::span<const double> weights,
                                      int ranks, const DealSettings& settings);

/// Largest over mean load of a rank, where work is spread evenly over the cells of a block.
[[nodiscard]] double imbalance(const Topology& topology, std::span<const double> weights,
                               std::span<const Piece> pieces, int ranks);

} // namespace isthmus::flow
