// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/cluster_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isthmus::radial {

using geometry::Box;
using geometry::Point;

std::optional<ClusterGrid> ClusterGrid::make(int dimensions, const Box& box, double radius,
                                             double overlap, GlobalIndex num_points) {
  const double farthest = std::sqrt(4.0 / dimensions) * radius * (1.0 - overlap);
  ClusterGrid grid{box, radius, {}};
  double count = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double number = std::ceil((box.hi[k] - box.lo[k]) / farthest);
    count *= number + 1;
    if (!(count < static_cast<double>(num_points))) { // also if the radius is 0
      return std::nullopt;
    }
    grid.intervals[k] = static_cast<int>(number);
  }
  return grid;
}

std::int64_t ClusterGrid::num_places() const {
  return number(intervals) + 1;
}

std::int64_t ClusterGrid::number(const Place& at) const {
  const std::int64_t along_z = intervals[2] + 1;
  return (std::int64_t{at[0]} * (intervals[1] + 1) + at[1]) * along_z + at[2];
}

Point ClusterGrid::point(const Place& at) const {
  Point center{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double part = intervals[k] > 0 ? static_cast<double>(at[k]) / intervals[k] : 0.0;
    center[k] = box.lo[k] + part * (box.hi[k] - box.lo[k]);
  }
  return center;
}

std::vector<ClusterGrid::Place> ClusterGrid::places_in(const Box& part) const {
  Place first{};
  Place last{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double edge = box.hi[k] - box.lo[k];
    const double step = intervals[k] > 0 && edge > 0 ? edge / intervals[k] : 1.0;
    const double low = std::floor((part.lo[k] - box.lo[k]) / step) - 1;
    const double high = std::ceil((part.hi[k] - box.lo[k]) / step) + 1;
    first[k] = static_cast<int>(std::clamp(low, 0.0, static_cast<double>(intervals[k])));
    last[k] = static_cast<int>(std::clamp(high, 0.0, static_cast<double>(intervals[k])));
  }
  std::vector<Place> found;
  for (int a = first[0]; a <= last[0]; ++a) {
    for (int b = first[1]; b <= last[1]; ++b) {
      for (int c = first[2]; c <= last[2]; ++c) {
        found.push_back({a, b, c});
      }
    }
  }
  return found;
}

std::vector<Point> sample_points(int dimensions, const Box& box) {
  std::vector<Point> points{box.center()};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k) {
    for (const double shift : {-0.25, 0.25}) {
      Point& point = points.emplace_back(box.center());
      point[k] += shift * (box.hi[k] - box.lo[k]);
    }
  }
  return points;
}

double median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

} // namespace isthmus::radial
