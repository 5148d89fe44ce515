// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/farthest.hpp"

#include "isthmus/geometry/search/point_index.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isthmus::geometry {

namespace {

constexpr double accuracy = 1.5;
constexpr std::size_t least_cells = 1000; // looked at in any case

/// Cells of one size, by their middles.
struct Cells {
  std::vector<Point> middles;
  Point half;

  [[nodiscard]] double radius() const { return std::hypot(half[0], half[1], half[2]); }
  /// Halves along all axes of those at `kept`.
  [[nodiscard]] Cells divided(const std::vector<std::size_t>& kept) const {
    Cells parts{{}, {0.5 * half[0], 0.5 * half[1], 0.5 * half[2]}};
    for (const std::size_t cell : kept) {
      for (int corner = 0; corner < 8; ++corner) {
        Point middle = middles[cell];
        bool is_new = true;
        for (std::size_t k = 0; k < 3; ++k) {
          const bool upper = (corner >> k & 1) != 0;
          is_new = is_new && !(upper && half[k] == 0); // no extent along this axis
          middle[k] += upper ? parts.half[k] : -parts.half[k];
        }
        if (is_new) {
          parts.middles.push_back(middle);
        }
      }
    }
    return parts;
  }
};

std::vector<double> distances(const PointIndex& index, int dim, const std::vector<Point>& points) {
  std::vector<double> coordinates;
  for (const Point& place : points) {
    coordinates.insert(coordinates.end(), place.begin(), place.begin() + dim);
  }
  std::vector<LocalIndex> ids(points.size());
  std::vector<double> result(points.size());
  index.nearest(coordinates, ids, result);
  for (double& distance : result) {
    distance = std::sqrt(distance);
  }
  return result;
}

} // namespace

/// Cells whose middle is so near to a point that they cannot hold a much farther place are left; so
/// are all where a closer look would cost more than the index.
double farthest_from(int dim, std::span<const double> points, const Box& box) {
  const PointIndex index(dim, points);
  if (index.size() == 0) {
    return Box::infinity;
  }
  Cells cells{{box.center()}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    cells.half[k] = 0.5 * (box.hi[k] - box.lo[k]);
  }
  const std::size_t most_cells = least_cells + index.size();
  double reached = 0; // by some place
  double bound = 0;   // of the cells that were left
  for (;;) {
    const double radius = cells.radius();
    const std::vector<double> found = distances(index, dim, cells.middles);
    reached = std::max(reached, *std::max_element(found.begin(), found.end()));
    const bool last = 8 * cells.middles.size() > most_cells;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (last || found[i] + radius <= accuracy * reached || radius == 0) {
        bound = std::max(bound, found[i] + radius);
      } else {
        kept.push_back(i);
      }
    }
    if (kept.empty()) {
      return bound;
    }
    cells = cells.divided(kept);
  }
}

} // namespace isthmus::geometry
