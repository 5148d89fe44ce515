// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/block_of_points.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <limits>
#include <utility>

namespace isthmus::mapping {

namespace {

class NearestNeighbor final : public Mapping {
 public:
  explicit NearestNeighbor(const mesh::Mesh& mesh)
      : dimensions_(mesh.dimensions()),
        empty_(mesh.num_vertices() == 0),
        index_(mesh.dimensions(), mesh.coordinates()) {}

  Interpolation interpolate(std::span<const double> points) const override {
    const std::size_t count = points.size() / static_cast<std::size_t>(dimensions_);
    Interpolation result;
    result.counts.assign(count, empty_ ? 0 : 1);
    result.distances2.assign(count, std::numeric_limits<double>::infinity());
    if (!empty_) {
      result.columns.resize(count);
      result.weights.assign(count, 1.0);
      const auto dim = static_cast<std::size_t>(dimensions_);
      parallel_for(count, block_of_points, [&](std::size_t begin, std::size_t end) {
        const std::size_t size = end - begin;
        index_.nearest(points.subspan(begin * dim, size * dim),
                       std::span(result.columns).subspan(begin, size),
                       std::span(result.distances2).subspan(begin, size));
      });
    }
    return result;
  }

 private:
  int dimensions_;
  bool empty_;
  geometry::PointIndex index_;
};

class NearestNeighborGradient final : public Mapping {
 public:
  explicit NearestNeighborGradient(const mesh::Mesh& mesh) : mesh_(mesh), nearest_(mesh) {}

  Interpolation interpolate(std::span<const double> points) const override {
    Interpolation nearest = nearest_.interpolate(points);
    const auto dim = static_cast<std::size_t>(mesh_.dimensions());
    Interpolation result;
    result.distances2 = std::move(nearest.distances2);
    result.counts = std::move(nearest.counts);
    for (std::size_t i = 0; i < nearest.columns.size(); ++i) {
      result.counts[i] *= static_cast<LocalIndex>(1 + dim);
      result.columns.insert(result.columns.end(), 1 + dim, nearest.columns[i]);
      result.weights.push_back(1);
      const auto vertex = static_cast<std::size_t>(nearest.columns[i]);
      for (std::size_t axis = 0; axis < dim; ++axis) {
        result.weights.push_back(points[i * dim + axis] - mesh_.coordinates()[vertex * dim + axis]);
      }
    }
    return result;
  }

 private:
  const mesh::Mesh& mesh_;
  NearestNeighbor nearest_;
};

} // namespace

std::unique_ptr<Mapping> make_nearest_neighbor_gradient(const mesh::Mesh& mesh) {
  return std::make_unique<NearestNeighborGradient>(mesh);
}

std::unique_ptr<Mapping> make_nearest_neighbor(const mesh::Mesh& mesh) {
  return std::make_unique<NearestNeighbor>(mesh);
}

} // namespace isthmus::mapping
