// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/numbered_vertices.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace isthmus::mapping {

namespace {

class NearestNeighbor final : public Mapping {
 public:
  NearestNeighbor(const mesh::Mesh& mesh, geometry::Ties ties)
      : dimensions_(mesh.dimensions()),
        empty_(mesh.num_vertices() == 0),
        ties_(ties),
        index_(mesh.dimensions(), mesh.coordinates()),
        numbered_(mesh.dimensions(), mesh.coordinates()) {}

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
        const auto some = points.subspan(begin * dim, size * dim);
        const auto columns = std::span(result.columns).subspan(begin, size);
        std::vector<std::size_t> tied;
        index_.nearest(some, columns, std::span(result.distances2).subspan(begin, size),
                       ties_ == geometry::Ties::by_number ? &tied : nullptr);
        numbered_.find(some, tied, columns);
      });
    }
    return result;
  }

 private:
  int dimensions_;
  bool empty_;
  geometry::Ties ties_;
  geometry::PointIndex index_;
  mutable NumberedVertices numbered_;
};

class NearestNeighborGradient final : public Mapping {
 public:
  NearestNeighborGradient(const mesh::Mesh& mesh, geometry::Ties ties)
      : mesh_(mesh), nearest_(mesh, ties) {}

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

std::unique_ptr<Mapping> make_nearest_neighbor_gradient(const mesh::Mesh& mesh,
                                                        geometry::Ties ties) {
  return std::make_unique<NearestNeighborGradient>(mesh, ties);
}

std::unique_ptr<Mapping> make_nearest_neighbor(const mesh::Mesh& mesh, geometry::Ties ties) {
  return std::make_unique<NearestNeighbor>(mesh, ties);
}

} // namespace isthmus::mapping
