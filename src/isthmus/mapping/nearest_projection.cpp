// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/search/surface_index.hpp"
#include "isthmus/mapping/candidate_projection.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/mesh/sides.hpp"

#include <algorithm>
#include <optional>

namespace isthmus::mapping {

namespace {

geometry::SurfaceIndex index_of(const mesh::Mesh& mesh) {
  if (mesh.tetrahedra().empty()) {
    return {mesh.dimensions(), mesh.coordinates(), mesh.edges(), mesh.triangles()};
  }
  return {mesh.dimensions(), mesh.coordinates(), mesh.edges(),
          mesh::faces_and_triangles(mesh, geometry::Faces::all)};
}

class NearestProjection final : public Mapping {
 public:
  NearestProjection(const mesh::Mesh& mesh, Outside outside)
      : mesh_(mesh), dimensions_(static_cast<std::size_t>(mesh.dimensions())), outside_(outside) {
    if (outside == Outside::closest) {
      index_.emplace(index_of(mesh));
    } else {
      candidates_ = candidates_of(mesh, outside);
    }
  }

  Interpolation interpolate(std::span<const double> points) const override {
    const std::size_t count = points.size() / dimensions_;
    Interpolation result = Interpolation::of_nothing(count);
    if (mesh_.num_vertices() == 0) {
      return result;
    }
    result.columns.reserve(3 * count);
    result.weights.reserve(3 * count);
    constexpr std::size_t block = 1 << 14; // bounds the memory of the intermediate result
    std::vector<geometry::Projection> projections(std::min(block, count));
    for (std::size_t first = 0; first < count; first += block) {
      const std::size_t size = std::min(block, count - first);
      const std::span part(projections.data(), size);
      parallel_for(size, block_of_points, [&](std::size_t begin, std::size_t end) {
        const auto some =
            points.subspan((first + begin) * dimensions_, (end - begin) * dimensions_);
        index_ ? index_->project(some, part.subspan(begin, end - begin))
               : candidates_->project(some, part.subspan(begin, end - begin));
      });
      for (std::size_t i = 0; i < size; ++i) {
        append(part[i], first + i, result);
      }
    }
    if (outside_ == Outside::candidates) {
      note_needed(mesh_, points, false, result);
    }
    return result;
  }

  std::vector<geometry::Element> candidates(std::span<const double> points) const override {
    return candidates_ ? candidates_->gather(points) : std::vector<geometry::Element>();
  }

 private:
  static void append(const geometry::Projection& projection, std::size_t point,
                     Interpolation& result) {
    result.counts[point] = projection.size;
    result.distances2[point] = projection.distance2;
    for (std::size_t k = 0; k < static_cast<std::size_t>(projection.size); ++k) {
      result.columns.push_back(projection.vertex[k]);
      result.weights.push_back(projection.weight[k]);
    }
  }

  const mesh::Mesh& mesh_;
  std::size_t dimensions_;
  Outside outside_;
  std::optional<geometry::SurfaceIndex> index_;      // for the closest place
  std::unique_ptr<geometry::Candidates> candidates_; // else
};

} // namespace

std::unique_ptr<Mapping> make_nearest_projection(const mesh::Mesh& mesh, Outside outside) {
  return std::make_unique<NearestProjection>(mesh, outside);
}

} // namespace isthmus::mapping
