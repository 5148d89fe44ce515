// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <limits>

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
      index_.nearest(points, result.columns, result.distances2);
    }
    return result;
  }

 private:
  int dimensions_;
  bool empty_;
  geometry::PointIndex index_;
};

} // namespace

std::unique_ptr<Mapping> make_nearest_neighbor(const mesh::Mesh& mesh) {
  return std::make_unique<NearestNeighbor>(mesh);
}

} // namespace isthmus::mapping
