// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/dealt_points.hpp"

#include <span>
#include <vector>

namespace isthmus::radial {

/// Points of all ranks that may lie within a distance of some points of this rank.
struct NearbyPoints {
  std::vector<geometry::Point> points;
  std::vector<GlobalIndex> numbers; // ascending
};

/// Collective. Those within `radius` of boxes around the own ones of `centers` and around `points`,
/// its own included. No rank knows the boxes of all (rendezvous/meetings.hpp).
[[nodiscard]] NearbyPoints nearby_points(const comm::Comm& comm, const DealtPoints& centers,
                                         std::span<const geometry::Point> points, double radius);

} // namespace isthmus::radial
