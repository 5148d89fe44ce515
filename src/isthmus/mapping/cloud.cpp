// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/cloud.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace isthmus::mapping {

std::vector<geometry::Point> points_of(int dimensions, std::span<const double> coordinates,
                                       const std::array<bool, 3>& dead) {
  std::vector<geometry::Point> points(geometry::point_count(dimensions, coordinates));
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = geometry::point_at(dimensions, coordinates, i);
    for (std::size_t k = 0; k < 3; ++k) {
      points[i][k] = dead[k] ? 0.0 : points[i][k];
    }
  }
  return points;
}

std::vector<LocalIndex> ordered_by_place(std::span<const geometry::Point> points) {
  struct Item {
    geometry::Point x;
    LocalIndex id;
  };
  std::vector<Item> items;
  items.reserve(points.size());
  for (const geometry::Point& x : points) {
    items.push_back({x, static_cast<LocalIndex>(items.size())});
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.x != b.x ? a.x < b.x : a.id < b.id; });
  std::vector<LocalIndex> order;
  order.reserve(items.size());
  for (const Item& item : items) {
    order.push_back(item.id);
  }
  return order;
}

Cloud cloud_of(const mesh::Mesh& mesh, const std::array<bool, 3>& dead, const std::string& place) {
  const std::vector<geometry::Point> points =
      points_of(mesh.dimensions(), mesh.coordinates(), dead);
  Cloud cloud{{}, ordered_by_place(points)};
  for (LocalIndex vertex : cloud.vertices) {
    cloud.points.push_back(points[static_cast<std::size_t>(vertex)]);
  }
  const auto duplicate = std::adjacent_find(cloud.points.begin(), cloud.points.end());
  if (duplicate != cloud.points.end()) {
    const LocalIndex vertex =
        cloud.vertices[static_cast<std::size_t>(duplicate - cloud.points.begin())];
    fail(
        "{}: mesh \"{}\" has two vertices at ({}){}; radial basis functions need different places. "
        "Define each vertex once, also where parts of several ranks meet",
        place, mesh.name(), fmt::join(mesh.vertex(vertex), ", "),
        dead[0] || dead[1] || (dead[2] && mesh.dimensions() == 3) ? " or apart along dead axes only"
                                                                  : "");
  }
  return cloud;
}

} // namespace isthmus::mapping
