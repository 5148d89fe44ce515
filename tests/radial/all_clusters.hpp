// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/clusters/clusters.hpp"

/// Those that serve the points of the cloud itself: all of them.
inline isthmus::radial::Clusters all_clusters(const isthmus::radial::CloudView& cloud,
                                              const isthmus::radial::PartitionSettings& settings) {
  return make_clusters_for(cloud.points, cloud, settings, 1, nullptr).clusters;
}
