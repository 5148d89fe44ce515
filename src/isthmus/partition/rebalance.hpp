// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

namespace isthmus::partition {

/// Serial, one constraint. Corrects loads that have become uneven by moving vertices at the borders
/// of parts only: parts give to lighter neighbours what the diffusion of loads over their borders
/// says (Hu, Blake, doi 10.1016/S0167-8191(98)00107-2), those vertices first that cost the least
/// cut. Stops when the largest load is `tolerance` times the mean, or nothing helps any more.
[[nodiscard]] Parts rebalance(const Graph& graph, Parts of, int parts, double tolerance = 1.03);

} // namespace isthmus::partition
