// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/ball_filler.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace isthmus::radial {

using geometry::PointIndex;

double BallFiller::fill(const geometry::Point& around, double spacing, Cluster& cluster) {
  const std::size_t enough = std::min(wanted_, index_.size());
  double radius = std::max(cluster.radius, spacings_ * spacing);
  for (index_.within(around, radius, found_); found_.size() < enough;) {
    radius *= 1.5;
    index_.within(around, radius, found_);
  }
  double reach = geometry::Box::infinity;
  if (found_.size() >= wanted_) {
    const auto last = found_.begin() + static_cast<std::ptrdiff_t>(wanted_ - 1);
    std::nth_element(found_.begin(), last, found_.end(),
                     [](const PointIndex::Neighbor& a, const PointIndex::Neighbor& b) {
                       return a.distance2 != b.distance2
                                  ? a.distance2 < b.distance2
                                  : std::tie(a.x, a.id) < std::tie(b.x, b.id);
                     });
    const double farthest = std::sqrt(last->distance2);
    spacings_ = std::isfinite(spacing) ? 1.15 * farthest / spacing : spacings_;
    if (farthest < cluster.radius) {
      const double radius2 = cluster.radius * cluster.radius;
      std::erase_if(found_,
                    [radius2](const PointIndex::Neighbor& one) { return one.distance2 > radius2; });
    } else {
      found_.resize(wanted_);
    }
    reach = std::max(farthest, cluster.radius);
  }
  cluster.members.clear();
  cluster.members.reserve(found_.size());
  for (const PointIndex::Neighbor& one : found_) {
    cluster.members.push_back(one.id);
  }
  std::sort(cluster.members.begin(), cluster.members.end());
  return reach;
}

} // namespace isthmus::radial
