// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/multiscale.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;
using Join = MultiscaleSettings::Join;
using Profile = MultiscaleSettings::Profile;
using Section = MultiscaleSettings::Section;

constexpr double tolerance = 1.05; // of distances, relative to the radius
// of the profile in a square
constexpr double square_peak = 2.096;
constexpr double square_power = 0.879;
constexpr double slit_peak = 1.5;

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
  /// Places that decide who belongs together.
  [[nodiscard]] std::vector<Point> keys(std::span<const Point> points) const {
    std::vector<Point> result(points.begin(), points.end());
    for (std::size_t i = 0; i < result.size() && settings_.join == Join::radial; ++i) {
      const double place = result[i][axis_];
      result[i] = {};
      result[i][axis_] = place;
    }
    return result;
  }

  void spread(std::span<const Point> vertices, std::span<const Point> points,
              Interpolation& result) const {
    result.columns = nearest(keys(vertices), keys(points));
    result.weights.assign(points.size(), 1.0);
    const auto vertex_of = [&](std::size_t i) -> const Point& {
      return vertices[static_cast<std::size_t>(result.columns[i])];
    };
    if (settings_.join == Join::axial_line) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        check_distance(points[i], vertex_of(i));
      }
    }
    if (settings_.join == Join::radial || settings_.profile == Profile::uniform) {
      return;
    }
    std::vector<double> farthest2(vertices.size(), 0.0); // of the points that belong to a vertex
    for (std::size_t i = 0; i < points.size(); ++i) {
      double& most = farthest2[static_cast<std::size_t>(result.columns[i])];
      most = std::max(most, across2(points[i], vertex_of(i)));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double most = farthest2[static_cast<std::size_t>(result.columns[i])];
      result.weights[i] = settings_.join == Join::axial_line
                              ? on_line(points[i], vertex_of(i))
                              : on_plane(points[i], vertex_of(i), most);
    }
  }

  void collect(std::span<const Point> vertices, std::span<const Point> points,
               Interpolation& result) const {
    const std::vector<Point> vertex_keys = keys(vertices);
    const std::vector<Point> point_keys = keys(points);
    const std::vector<LocalIndex> owner = nearest(point_keys, vertex_keys);
    const std::vector<LocalIndex> fallback = nearest(vertex_keys, point_keys);
    std::vector<std::vector<LocalIndex>> members(points.size());
    for (LocalIndex vertex : ordered_by_place(vertices)) {
      members[static_cast<std::size_t>(owner[static_cast<std::size_t>(vertex)])].push_back(vertex);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (members[i].empty() && settings_.join != Join::axial_plane) {
        members[i].push_back(fallback[i]);
      }
      result.counts[i] = static_cast<LocalIndex>(members[i].size());
      result.columns.insert(result.columns.end(), members[i].begin(), members[i].end());
      result.weights.insert(result.weights.end(), members[i].size(),
                            1.0 / static_cast<double>(members[i].size()));
    }
  }

  /// The way between two points across the axis.
  struct Across {
    double y;
    double z;
  };
  [[nodiscard]] Across across(const Point& point, const Point& from) const {
    const std::size_t y = (axis_ + 1) % 3;
    const std::size_t z = (axis_ + 2) % 3;
    return {point[y] - from[y], point[z] - from[z]};
  }
  [[nodiscard]] double across2(const Point& point, const Point& from) const {
    const auto [y, z] = across(point, from);
    return y * y + z * z;
  }

  [[nodiscard]] double on_line(const Point& point, const Point& vertex) const {
    const double radius2 = settings_.radius * settings_.radius;
    const double rest = 1.0 - across2(point, vertex) / radius2;
    if (settings_.slit) {
      return slit_peak * rest;
    }
    if (settings_.section == Section::circle) {
      return 2.0 * rest;
    }
    const auto [y, z] = across(point, vertex);
    return square_peak * std::pow(std::max(0.0, 1.0 - y * y / radius2), square_power) *
           std::pow(std::max(0.0, 1.0 - z * z / radius2), square_power);
  }

  /// `farthest2`: squared distance of the farthest point that belongs to the vertex.
  [[nodiscard]] double on_plane(const Point& point, const Point& vertex, double farthest2) const {
    const double distance2 = across2(point, vertex);
    if (settings_.section == Section::circle) {
      return 4.0 / 3.0 * (farthest2 > 0 ? 1.0 - distance2 / farthest2 : 1.0);
    }
    const double radius2 = settings_.radius * settings_.radius;
    const double in_plane = 1.0 - across2(vertex, {}) / radius2;
    const double off_plane = 1.0 - distance2 / radius2;
    return in_plane > 0 && off_plane > 0
               ? square_peak / slit_peak * std::pow(in_plane, square_power - 1) *
                     std::pow(off_plane, square_power)
               : 0.0;
  }

  void check_distance(const Point& point, const Point& vertex) const {
    const auto [y, z] = across(point, vertex);
    const double distance = settings_.section == Section::circle
                                ? std::hypot(y, z)
                                : std::max(std::abs(y), std::abs(z));
    const double relative = distance / settings_.radius;
    check(relative <= tolerance,
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
