// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>

namespace isthmus::mapping {

namespace {

using geometry::Point;

/// Lucy's kernel but for a factor, `r` in radii.
double lucy(double r) {
  const double rest = std::max(0.0, 1.0 - r);
  return (1.0 + 3.0 * r) * rest * rest * rest;
}

class CoarseGraining final : public Mapping {
 public:
  CoarseGraining(const mesh::Mesh& mesh, double radius)
      : radius_(radius),
        dimensions_(mesh.dimensions()),
        vertices_(points_of(mesh.dimensions(), mesh.coordinates(), {})),
        index_(3, flat(vertices_)) {}

  Interpolation interpolate(std::span<const double> coordinates) const override {
    const std::vector<Point> points = points_of(dimensions_, coordinates, {});
    Interpolation result;
    result.distances2.assign(points.size(), geometry::Box::infinity);
    for (std::size_t i = 0; i < points.size(); ++i) {
      result.counts.push_back(append(points[i], result));
      if (result.counts.back() > 0) {
        const Point& farthest = vertices_[static_cast<std::size_t>(result.columns.back())];
        const double reach = std::max(radius_, distance(points[i], farthest));
        result.distances2[i] = reach * reach; // nothing up to there may be missed
      }
    }
    return result;
  }

 private:
  LocalIndex append(const Point& point, Interpolation& result) const {
    std::vector<LocalIndex> found;
    index_.within(point, radius_, found);
    std::sort(found.begin(), found.end(), [this](LocalIndex a, LocalIndex b) {
      return vertices_[static_cast<std::size_t>(a)] < vertices_[static_cast<std::size_t>(b)];
    });
    std::vector<double> weights;
    double sum = 0;
    for (LocalIndex vertex : found) {
      weights.push_back(
          lucy(distance(point, vertices_[static_cast<std::size_t>(vertex)]) / radius_));
      sum += weights.back();
    }
    if (sum == 0) { // nothing within the radius: the nearest vertex
      index_.nearest(point, 1, found);
      weights.assign(found.size(), 1.0);
      sum = 1;
    }
    for (double& weight : weights) {
      weight /= sum;
    }
    result.columns.insert(result.columns.end(), found.begin(), found.end());
    result.weights.insert(result.weights.end(), weights.begin(), weights.end());
    return static_cast<LocalIndex>(found.size());
  }

  double radius_;
  int dimensions_;
  std::vector<Point> vertices_;
  geometry::PointIndex index_;
};

} // namespace

std::unique_ptr<Mapping> make_coarse_graining(const mesh::Mesh& mesh, double radius) {
  return std::make_unique<CoarseGraining>(mesh, radius);
}

} // namespace isthmus::mapping
