// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/wall_distance.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/search/surface_index.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace isthmus::flow {

namespace {

/// Appends the corners of the faces of a wall: two per face of a flat grid, as x and y, else six,
/// of two triangles.
void append_faces(const Block& block, const BoundarySide& side, std::vector<double>& corners) {
  const auto axis = static_cast<std::size_t>(side.side.axis);
  const std::size_t first = (axis + 1) % 3;
  const std::size_t second = (axis + 2) % 3;
  const bool is_flat = block.extent.is_flat();
  side.for_each_face(block.extent, [&](const Index3& cell) {
    const auto append = [&](int along_first, int along_second) {
      Index3 node = cell;
      node[first] += along_first;
      node[second] += along_second;
      const Vector& point = block.node(node[0], node[1], is_flat ? 0 : node[2]);
      corners.insert(corners.end(), point.begin(), point.begin() + (is_flat ? 2 : 3));
    };
    append(0, 0);
    if (is_flat) { // the other end along the one axis of the plane that is left
      append(first == 2 ? 0 : 1, second == 2 ? 0 : 1);
      return;
    }
    constexpr std::array<std::array<int, 2>, 5> others{{{1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}};
    for (const auto& [a, b] : others) {
      append(a, b);
    }
  });
}

} // namespace

std::vector<std::vector<double>> wall_distances(const comm::Comm& comm, const Grid& grid) {
  std::vector<double> own_corners;
  int dim = 3;
  for (const Block& block : grid.own) {
    dim = block.extent.is_flat() ? 2 : 3;
  }
  for (const BoundarySide& side : grid.sides) {
    if (side.kind == BoundaryKind::no_slip) {
      append_faces(grid.own[side.own], side, own_corners);
    }
  }
  const std::vector<double> corners =
      comm::allgather(comm, std::span<const double>(own_corners)).values;
  check(!corners.empty(),
        "the turbulence model needs the distance from walls, but no [[boundary]] is of the kind "
        "\"no-slip\"; add one, or take [turbulence] out");
  if (grid.own.empty()) {
    return {};
  }
  std::vector<LocalIndex> numbers(corners.size() / static_cast<std::size_t>(dim));
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    numbers[n] = static_cast<LocalIndex>(n);
  }
  const std::span<const LocalIndex> none;
  const std::span<const LocalIndex> all(numbers);
  const geometry::SurfaceIndex walls(dim, corners, dim == 2 ? all : none, dim == 2 ? none : all);
  std::vector<std::vector<double>> distances;
  for (const Block& block : grid.own) {
    std::vector<double> centers;
    Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
      const Vector center = block.center(c[0], c[1], c[2]);
      centers.insert(centers.end(), center.begin(), center.begin() + dim);
    });
    std::vector<geometry::Projection> nearest(block.extent.interior());
    walls.project(centers, nearest);
    std::vector<double>& of_block = distances.emplace_back(block.extent.stored());
    auto next = nearest.begin();
    Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
      of_block[block.extent.at(c)] = std::sqrt((next++)->distance2);
    });
  }
  return distances;
}

} // namespace isthmus::flow
