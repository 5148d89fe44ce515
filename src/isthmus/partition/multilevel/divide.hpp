// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

#include <vector>

namespace isthmus::partition {

/// How a graph is divided. Geometric methods (bisect, cut_curve in points.hpp) need no graph.
enum class Method {
  kway,      // METIS: the least cut; rank 0 collects the graph, the others wait
  recursive, // METIS, recursive bisection: tighter balance of several constraints, few parts
  scotch     // PT-Scotch: the graph stays distributed; one constraint
};

struct Settings {
  Method method = Method::kway;
  /// Largest over mean load of a part: of every constraint, or one value for each. A target: graphs
  /// with few vertices per part may not have such a partition.
  std::vector<double> tolerances{1.03};
  /// parts x constraints fractions of the loads that add up to 1 per constraint; empty: equal.
  std::vector<double> shares{};
  int seed = 1;
  /// More parts than vertices leave parts empty; an error otherwise.
  bool empty_parts = false;
  /// METIS refuses graphs with more vertices: they belong to scotch, bisect or cut_curve.
  GlobalIndex most_gathered = 20'000'000;
};

/// Collective. Divides the vertices of a distributed graph (a whole one with a serial Comm) so that
/// all constraints are balanced and few edges are cut. Throws on all ranks what check_graph finds,
/// parts < 1, or more parts than vertices unless empty parts are allowed. No part is empty
/// otherwise. Karypis, Kumar, doi 10.1137/S1064827595287997; Chevalier, Pellegrini, doi
/// 10.1016/j.parco.2007.12.001.
[[nodiscard]] Parts divide(const comm::Comm& comm, const Graph& graph, int parts,
                           const Settings& settings = {});

/// As above, serial: a whole graph.
[[nodiscard]] Parts divide(const Graph& graph, int parts, const Settings& settings = {});

/// Serial, one constraint: vertices with a part >= 0 in `fixed` keep it, the others (-1) are placed
/// so that all parts are of equal weight and few edges are cut. Scotch's k-way with fixed vertices.
[[nodiscard]] Parts divide_around(const Graph& graph, int parts, Parts fixed,
                                  double tolerance = 1.03, int seed = 1);

} // namespace isthmus::partition
