// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// Weighted points, or those of one rank; in global order rank after rank.
struct Points {
  int dim = 3;                          // 2 or 3
  std::span<const double> coords;       // points x dim
  std::span<const GlobalIndex> weights; // points; empty: 1 each
};

enum class Curve { hilbert, morton };

/// Collective. The part of each own point by recursive coordinate bisection: each cut halves the
/// parts (as nearly as their number allows) and lies across the longest edge of what it divides;
/// any number of parts and of ranks. Points in one plane are distinguished by their other
/// coordinates, then by their number, so the result does not depend on the distribution. Ranks
/// divide into groups as the points do: memory O(points / ranks), O(log parts) levels. No part is
/// empty if there are enough points. Throws on all ranks: parts < 1, coordinates that are not
/// numbers, negative weights, and more parts than points unless `empty_parts`. Berger, Bokhari, doi
/// 10.1109/TC.1987.1676942.
[[nodiscard]] std::vector<int> bisect(const comm::Comm& comm, const Points& points, int parts,
                                      bool empty_parts = false);

/// Collective. The same along a space-filling curve: parts are intervals of it, in ascending order.
[[nodiscard]] std::vector<int> cut_curve(const comm::Comm& comm, const Points& points, int parts,
                                         Curve curve = Curve::hilbert, bool empty_parts = false);

} // namespace isthmus::partition
