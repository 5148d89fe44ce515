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

} // namespace isthmus::partition
