// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <numbers>

namespace isthmus::mapping {

namespace {

using geometry::Point;

/// Lucy's kernel but for a factor, `r` in radii.
double lucy(double r) {
  const double rest = std::max(0.0, 1.0 - r);
  return (1.0 + 3.0 * r) * rest * rest * rest;
}

/// With which its integral over a ball or a disk is one.
double unit_factor(int dimensions, double radius) {
  return dimensions == 3 ? 105.0 / (16.0 * std::numbers::pi * radius * radius * radius)
                         : 5.0 / (std::numbers::pi * radius * radius);
}

class CoarseGraining final : public Mapping {
 public:
  CoarseGraining(const mesh::Mesh& mesh, double radius, Grain grain)
      : radius_(radius),
        grain_(grain),
        dimensions_(mesh.dimensions()),
        vertices_(points_of(mesh.dimensions(), mesh.coordinates(), {})),
        index_(3, flat(vertices_)) {}

  Interpolation interpolate(std::span<const double> coordinates) const override {
    const std::vector<Point> points = points_of(dimensions_, coordinates, {});
    Interpolation result;
    const double least = radius_ * radius_; // nothing up to there may be missed
    result.distances2.assign(points.size(), least);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool found = append(points[i], result);
      if (grain_ == Grain::average) {
        result.distances2[i] =
            found ? std::max(least, distance2(points[i], vertex(result.columns.back())))
                  : geometry::Box::infinity;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] const Point& vertex(LocalIndex id) const {
    return vertices_[static_cast<std::size_t>(id)];
  }

  /// Whether there is an entry.
  bool append(const Point& point, Interpolation& result) const {
    std::vector<LocalIndex> found;
    index_.within(point, radius_, found);
    std::sort(found.begin(), found.end(),
              [this](LocalIndex a, LocalIndex b) { return vertex(a) < vertex(b); });
    std::vector<double> weights;
    double sum = 0;
    for (LocalIndex id : found) {
      weights.push_back(lucy(distance(point, vertex(id)) / radius_));
      sum += weights.back();
    }
    double factor = unit_factor(dimensions_, radius_);
    if (grain_ == Grain::average && sum == 0) {
      index_.nearest(point, 1, found);
      weights.assign(found.size(), 1.0);
      factor = 1;
    } else if (grain_ == Grain::average) {
      factor = 1 / sum;
    }
    for (double& weight : weights) {
      weight *= factor;
    }
    result.counts.push_back(static_cast<LocalIndex>(found.size()));
    result.columns.insert(result.columns.end(), found.begin(), found.end());
    result.weights.insert(result.weights.end(), weights.begin(), weights.end());
    return !found.empty();
  }

  double radius_;
  Grain grain_;
  int dimensions_;
  std::vector<Point> vertices_;
  geometry::PointIndex index_;
};

} // namespace

std::unique_ptr<Mapping> make_coarse_graining(const mesh::Mesh& mesh, double radius, Grain grain) {
  return std::make_unique<CoarseGraining>(mesh, radius, grain);
}

} // namespace isthmus::mapping
