// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::mapping {

/// A place in both of two elements, by barycentric coordinates, and the measure that it stands for.
struct SharedPoint {
  std::array<double, 4> in_first; // by corner; the rest is 0
  std::array<double, 4> in_second;
  double weight;
};

/// Replaces `points` by quadrature points on the part of the first element that the second one,
/// projected onto it, covers; products of two linear functions are integrated exactly. Elements are
/// triangles (three corners) or edges (two). Nothing where they stand at more than 60 degrees or
/// farther apart than their longest edges.
void shared_points(std::span<const geometry::Point> first, std::span<const geometry::Point> second,
                   std::vector<SharedPoint>& points);

/// The same for two tetrahedra, as they are. Cuts the second one by the faces of the first into
/// tetrahedra.
void shared_volume(std::span<const geometry::Point> first, std::span<const geometry::Point> second,
                   std::vector<SharedPoint>& points);

/// Length, area or volume.
[[nodiscard]] double measure(std::span<const geometry::Point> element);

[[nodiscard]] double longest_edge(std::span<const geometry::Point> element);

} // namespace isthmus::mapping
