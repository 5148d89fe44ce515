// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/exchange/halo.hpp"

#include <span>
#include <vector>

namespace isthmus::la {

/// The global numbers of this rank, first…first+count-1 of `total`.
struct Range {
  GlobalIndex first = 0;
  GlobalIndex count = 0;
  GlobalIndex total = 0;

  [[nodiscard]] bool contains(GlobalIndex id) const { return id >= first && id < first + count; }
};

/// Collective. Numbers `count` things of each rank, those of rank 0 first.
[[nodiscard]] Range number(const comm::Comm& comm, GlobalIndex count);

/// Collective. The ranks that have these numbers, asked from ranks that know a part each: no rank
/// holds a table of all.
[[nodiscard]] std::vector<int> owners(const comm::Comm& comm, const Range& range,
                                      std::span<const GlobalIndex> ids);

/// Collective. Brings the values of `ghosts`, ascending numbers of other ranks.
[[nodiscard]] exchange::Halo make_halo(const comm::Comm& comm, const Range& range,
                                       std::span<const GlobalIndex> ghosts);

} // namespace isthmus::la
