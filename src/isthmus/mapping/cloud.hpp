// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::mapping {

/// Vertices of a mesh ordered by place, so that what is computed from them does not depend on their
/// numbers or distribution. Coordinates along dead axes are 0.
struct Cloud {
  std::vector<geometry::Point> points;
  std::vector<LocalIndex> vertices; // by position in `points`
};

[[nodiscard]] inline double distance2(const geometry::Point& a, const geometry::Point& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
         (a[2] - b[2]) * (a[2] - b[2]);
}
[[nodiscard]] inline double distance(const geometry::Point& a, const geometry::Point& b) {
  return std::sqrt(distance2(a, b));
}

/// Coordinates of points, interleaved.
[[nodiscard]] inline std::span<const double> flat(std::span<const geometry::Point> points) {
  return points.empty() ? std::span<const double>()
                        : std::span<const double>(points.data()->data(), 3 * points.size());
}

/// Numbers of points by x, y, z; equal ones by number.
[[nodiscard]] std::vector<LocalIndex> ordered_by_place(std::span<const geometry::Point> points);

/// Throws if two vertices coincide; `place` names the mapping.
[[nodiscard]] Cloud cloud_of(const mesh::Mesh& mesh, const std::array<bool, 3>& dead,
                             const std::string& place);

/// Interleaved coordinates as points, 0 along dead axes.
[[nodiscard]] std::vector<geometry::Point> points_of(int dimensions,
                                                     std::span<const double> coordinates,
                                                     const std::array<bool, 3>& dead);

} // namespace isthmus::mapping
