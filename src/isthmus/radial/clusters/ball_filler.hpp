// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::radial {

/// Finds the members of balls, one after another. How far the last one had to look for as many as
/// wanted is where the search for the next one begins; what is found does not depend on it.
class BallFiller {
 public:
  /// The index must outlive the object.
  BallFiller(const geometry::PointIndex& index, std::size_t wanted)
      : index_(index), wanted_(wanted) {}

  /// Replaces the members of a cluster by the `wanted` points that are nearest to a place, or by
  /// all that are within its radius of it where these are more; ascending. `spacing`: how far apart
  /// things are there, more than 0. Returns how far from the place nothing may be missed; infinite
  /// where there are fewer points than wanted.
  [[nodiscard]] double fill(const geometry::Point& around, double spacing, Cluster& cluster);

 private:
  const geometry::PointIndex& index_;
  std::size_t wanted_;
  double spacings_ = 2; // within how many of them as many as wanted are
  std::vector<geometry::PointIndex::Neighbor> found_;
};

} // namespace isthmus::radial
