// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/multiscale.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;
using Join = MultiscaleSettings::Join;
using Section = MultiscaleSettings::Section;

constexpr double rounding = 1e-3; // of coordinates at the wall, relative to the radius

std::vector<LocalIndex> nearest(std::span<const Point> searched, std::span<const Point> asking) {
  const geometry::PointIndex index(3, flat(searched));
  std::vector<LocalIndex> ids(asking.size());
  std::vector<double> distances2(asking.size());
  index.nearest(flat(asking), ids, distances2);
  return ids;
}

class GeometricMultiscale final : public Mapping {
 public:
  GeometricMultiscale(const mesh::Mesh& mesh, MultiscaleSettings settings)
      : mesh_(mesh),
        settings_(std::move(settings)),
        axis_(static_cast<std::size_t>(settings_.axis)) {}

  Interpolation interpolate(std::span<const double> coordinates) const override {
    const std::vector<Point> points = points_of(mesh_.dimensions(), coordinates, {});
    const std::vector<Point> vertices = points_of(mesh_.dimensions(), mesh_.coordinates(), {});
    Interpolation result;
    result.counts.assign(points.size(), vertices.empty() ? 0 : 1);
    result.distances2.assign(points.size(), vertices.empty() ? geometry::Box::infinity : 0.0);
    if (vertices.empty() || points.empty()) {
      return result;
    }
    if (settings_.type == MultiscaleSettings::Type::spread) {
      spread(vertices, points, result);
    } else {
      collect(vertices, points, result);
    }
    return result;
  }

 private:
  /// The axis across which a planar domain extends.
  [[nodiscard]] std::size_t lateral(std::span<const Point> plane) const {
    geometry::Box box;
    for (const Point& point : plane) {
      box.expand(point);
    }
    const std::size_t one = (axis_ + 1) % 3;
    const std::size_t other = (axis_ + 2) % 3;
    return box.hi[one] - box.lo[one] >= box.hi[other] - box.lo[other] ? one : other;
  }

  /// Places that decide who belongs together. `small`: points of the domain of less dimensions.
  [[nodiscard]] std::vector<Point> keys(std::span<const Point> points,
                                        std::span<const Point> small) const {
    const std::size_t kept = settings_.join == Join::axial_plane ? lateral(small) : axis_;
    std::vector<Point> result(points.begin(), points.end());
    for (std::size_t i = 0; i < result.size() && settings_.join != Join::axial_line; ++i) {
      const double place = result[i][kept];
      result[i] = {};
      result[i][kept] = place;
    }
    return result;
  }

  void spread(std::span<const Point> vertices, std::span<const Point> points,
              Interpolation& result) const {
    result.columns = nearest(keys(vertices, vertices), keys(points, vertices));
    result.weights.resize(points.size());
    const Middle middle = middle_of(vertices);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& vertex = vertices[static_cast<std::size_t>(result.columns[i])];
      result.weights[i] = settings_.join == Join::radial ? 1.0 : factor(points[i], vertex, middle);
    }
  }

  void collect(std::span<const Point> vertices, std::span<const Point> points,
               Interpolation& result) const {
    const std::vector<Point> vertex_keys = keys(vertices, points);
    const std::vector<Point> point_keys = keys(points, points);
    const std::vector<LocalIndex> owner = nearest(point_keys, vertex_keys);
    const std::vector<LocalIndex> fallback = nearest(vertex_keys, point_keys);
    check_distances(vertices, points, owner);
    std::vector<std::vector<LocalIndex>> members(points.size());
    for (LocalIndex vertex : ordered_by_place(vertices)) {
      members[static_cast<std::size_t>(owner[static_cast<std::size_t>(vertex)])].push_back(vertex);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (members[i].empty()) {
        members[i].push_back(fallback[i]);
      }
      result.counts[i] = static_cast<LocalIndex>(members[i].size());
      result.columns.insert(result.columns.end(), members[i].begin(), members[i].end());
      result.weights.insert(result.weights.end(), members[i].size(),
                            1.0 / static_cast<double>(members[i].size()));
    }
  }

  /// Of a planar domain: its middle and the axes in and across its plane.
  struct Middle {
    Point at;
    std::size_t in;
    std::size_t across;
  };

  [[nodiscard]] Middle middle_of(std::span<const Point> plane) const {
    geometry::Box box;
    for (const Point& point : plane) {
      box.expand(point);
    }
    const std::size_t in = lateral(plane);
    return {box.center(), in, 3 - axis_ - in};
  }

  /// Of the profile at a point that belongs to a vertex.
  [[nodiscard]] double factor(const Point& point, const Point& vertex, const Middle& middle) const {
    const bool parabolic = settings_.profile == MultiscaleSettings::Profile::parabolic;
    if (settings_.join == Join::axial_plane) {
      const double y = (point[middle.in] - middle.at[middle.in]) / settings_.radius;
      const double z = (point[middle.across] - middle.at[middle.across]) / settings_.radius;
      check_distance(section_distance(y, z), point);
      const double half2 = settings_.section == Section::circle ? 1.0 - y * y : 1.0;
      return parabolic ? 1.5 * std::max(0.0, half2 > 0 ? 1.0 - z * z / half2 : 0.0) : 1.0;
    }
    const double y = (point[(axis_ + 1) % 3] - vertex[(axis_ + 1) % 3]) / settings_.radius;
    const double z = (point[(axis_ + 2) % 3] - vertex[(axis_ + 2) % 3]) / settings_.radius;
    check_distance(section_distance(y, z), point);
    return parabolic ? profile(y, z) : 1.0;
  }

  /// Distance from the middle of the cross section, 1 at the wall.
  [[nodiscard]] double section_distance(double y, double z) const {
    return settings_.section == Section::circle ? std::hypot(y, z)
                                                : std::max(std::abs(y), std::abs(z));
  }

  [[nodiscard]] double profile(double y, double z) const {
    const double r2 = y * y + z * z;
    if (settings_.slit) {
      return 1.5 * std::max(0.0, 1.0 - r2);
    }
    if (settings_.section == Section::circle) {
      return 2.0 * std::max(0.0, 1.0 - r2);
    }
    constexpr double n = 2.2;
    constexpr double peak = (n + 1) / n;
    return peak * peak * std::max(0.0, 1.0 - std::pow(std::abs(y), n)) *
           std::max(0.0, 1.0 - std::pow(std::abs(z), n));
  }

  void check_distances(std::span<const Point> vertices, std::span<const Point> points,
                       std::span<const LocalIndex> owner) const {
    if (settings_.join != Join::axial_line) {
      return;
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      static_cast<void>(factor(vertices[i], points[static_cast<std::size_t>(owner[i])], {}));
    }
  }

  void check_distance(double relative, const Point& point) const {
    check(relative <= 1 + rounding,
          "{}: the vertex at ({}, {}, {}) lies {:.4g} times the radius {} away from the axis; "
          "correct multiscale-radius, multiscale-axis or the geometry",
          settings_.place, point[0], point[1], point[2], relative, settings_.radius);
  }

  const mesh::Mesh& mesh_;
  MultiscaleSettings settings_;
  std::size_t axis_;
};

} // namespace

std::unique_ptr<Mapping> make_geometric_multiscale(const mesh::Mesh& mesh,
                                                   MultiscaleSettings settings) {
  return std::make_unique<GeometricMultiscale>(mesh, std::move(settings));
}

} // namespace isthmus::mapping
