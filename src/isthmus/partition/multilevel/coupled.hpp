// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/multilevel/divide.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// Two codes that share an interface: whole graphs with one constraint, the work of the solver.
struct CoupledGraphs {
  Graph a;
  Graph b;
  std::vector<Edge> links; // a vertex of a, a vertex of b that exchange values, how many
  int dim = 3;
  std::vector<double> coords; // of the vertices of a (those without links are not read)
};

struct CoupledParts {
  Parts a;
  Parts b;
};

/// Divides both codes so that solver work and interface work are balanced on both sides and few
/// pairs of parts must talk. The interface comes first: the vertices of a that have links are put
/// in order along a Hilbert curve, those of b follow the vertex of a with which they exchange most,
/// and either side is cut into intervals of nearly equal number (at most 5 % more), which end
/// together where that saves pairs. Intervals of one order overlap in a chain of at most parts_a +
/// parts_b - 1 pairs, parts_a + parts_b - gcd where they end together; further pairs come from
/// vertices with several links at the edges of intervals. Then either code divides the rest around
/// its interface, by itself: what both must know is the order of the interface only. Serial. Fixed
/// interfaces after El Afrit (2009); one order for both sides is our own.
[[nodiscard]] CoupledParts divide_coupled(const CoupledGraphs& graphs, int parts_a, int parts_b,
                                          double tolerance = 1.03);

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

/// 1 for each of `count` vertices that stands in a link, 0 elsewhere; first or `second` ends.
[[nodiscard]] std::vector<GlobalIndex> linked(std::size_t count, std::span<const Edge> links,
                                              bool second);

} // namespace isthmus::partition
