// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/context.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace isthmus::planning {

/// How far the vertices of one use are from what they were mapped to, on this rank.
struct Distances {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  double sum = 0;
  std::int64_t count = 0;

  /// A square that is infinite, where nothing was found, does not count.
  void add(double distance2);
};

/// Collective, unless the log is silent. Rank 0 says how far the vertices of all ranks are from
/// their places, by use of the relation; nobody else waits for that.
void report_distances(const partner::Context& context, const protocol::MeshRelation& relation,
                      std::span<const Distances> own);

} // namespace isthmus::planning
