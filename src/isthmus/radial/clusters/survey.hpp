// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/clusters/clusters.hpp"

#include <span>

namespace isthmus::radial {

/// Collective. What make_clusters_for() needs to know of the points of all ranks, each of which one
/// rank has, without bringing them together.
[[nodiscard]] WholeCloud survey(const comm::Comm& comm, int dimensions,
                                std::span<const geometry::Point> points,
                                const PartitionSettings& settings);

} // namespace isthmus::radial
