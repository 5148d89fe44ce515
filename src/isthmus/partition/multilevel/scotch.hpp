// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/multilevel/divide.hpp"

namespace isthmus::partition {

/// Collective. PT-Scotch on a distributed graph that was checked; 1 <= parts <= vertices. Throws
/// the same on all ranks.
[[nodiscard]] Parts divide_by_ptscotch(const comm::Comm& comm, const Graph& graph, int parts,
                                       const Settings& settings);

/// Scotch on a whole graph with one constraint that was checked; vertices with a part >= 0 in
/// `fixed` keep it.
[[nodiscard]] Parts divide_by_scotch(const Graph& graph, int parts, Parts fixed, double tolerance,
                                     int seed);

} // namespace isthmus::partition
