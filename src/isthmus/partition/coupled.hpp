// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/divide.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// Two codes that share an interface. Whole graphs with one constraint, the work of the solver; for
/// large meshes, graphs of clusters of cells.
struct CoupledGraphs {
  Graph a;
  Graph b;
  std::vector<Edge> links; // a vertex of a, a vertex of b that exchange values, how many
};

struct CoupledSettings {
  double tolerance = 1.05; // of the work of each solver and of each side of the interface
  /// What a cut link costs beside a cut edge of weight 1. Large: fewer pairs of ranks that must
  /// talk, and more edges cut.
  GlobalIndex link_weight = 16;
  int attempts = 4; // with other seeds; the best is kept
  int seed = 1;
};

struct CoupledParts {
  Parts a;
  Parts b;
};

/// Divides both graphs at once, in as many parts as either code has ranks, so that solver work and
/// interface work are balanced on both sides and parts that exchange values find each other in few
/// pairs: the union of both graphs and the links, with four constraints, makes as many groups as
/// the greatest common divisor of the numbers of parts; groups are halved with both sides in
/// proportion until one side of them is a single part. Serial: one rank calls it and deals the
/// result (scatter_parts). Throws what divide throws. After the idea of co-partitioning, Predari,
/// Esnard, HiPC 2014.
[[nodiscard]] CoupledParts divide_coupled(const CoupledGraphs& graphs, int parts_a, int parts_b,
                                          const CoupledSettings& settings = {});

/// What the coupling costs.
struct CouplingQuality {
  int pairs;          // of a part of a and one of b that must talk
  int most_partners;  // of one part
  double interface_a; // largest over mean number of linked vertices of a part of a
  double interface_b;
  GlobalIndex cut_a; // weight of cut edges
  GlobalIndex cut_b;
  double imbalance_a; // of the solver's work
  double imbalance_b;
};

[[nodiscard]] CouplingQuality assess_coupling(const CoupledGraphs& graphs, const CoupledParts& of,
                                              int parts_a, int parts_b);

/// 1 for each vertex of `count` that stands in a link, 0 elsewhere; `second` end or first.
[[nodiscard]] std::vector<GlobalIndex> linked(std::size_t count, std::span<const Edge> links,
                                              bool second);

} // namespace isthmus::partition
