// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// Collective. The partition `after` of the own vertices with its parts renumbered such that as
/// much weight as possible stays where it was `before`. `weights` (one per own vertex, empty: 1
/// each) is what moving costs. The rank 0 solves an assignment problem on the table of what moves
/// where: exactly up to 512 parts (shortest augmenting paths, Jonker, Volgenant, doi
/// 10.1007/BF02278710), greedily beyond.
[[nodiscard]] Parts keep_numbers(const comm::Comm& comm, std::span<const int> before,
                                 std::span<const int> after, std::span<const GlobalIndex> weights,
                                 int parts);

/// Collective. Weight that is in another part afterwards.
[[nodiscard]] GlobalIndex moved(const comm::Comm& comm, std::span<const int> before,
                                std::span<const int> after, std::span<const GlobalIndex> weights);

/// Serial, one constraint. Corrects loads that have become uneven by moving vertices at the borders
/// of parts only: parts give to lighter neighbours what the diffusion of loads over their borders
/// says (Hu, Blake, doi 10.1016/S0167-8191(98)00107-2), those vertices first that cost the least
/// cut. Stops when the largest load is `tolerance` times the mean, or nothing helps any more.
[[nodiscard]] Parts rebalance(const Graph& graph, Parts of, int parts, double tolerance = 1.03);

} // namespace isthmus::partition
