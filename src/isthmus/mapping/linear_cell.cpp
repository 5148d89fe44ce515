// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/candidates.hpp"
#include "isthmus/geometry/cell_index.hpp"
#include "isthmus/geometry/faces.hpp"
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/geometry/surface_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::mapping {

namespace {

/// Triangles on which the closest point of a mesh may lie, for points outside its cells.
std::vector<LocalIndex> triangles(const mesh::Mesh& mesh) {
  std::vector<LocalIndex> all = geometry::faces_of(mesh.tetrahedra(), geometry::Faces::boundary);
  all.insert(all.end(), mesh.triangles().begin(), mesh.triangles().end());
  return all;
}

constexpr std::size_t block_of_points = 4096; // for one thread

/// Where points outside of all cells go.
class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;
  virtual void project(std::span<const double> points,
                       std::span<geometry::Projection> out) const = 0;
};

class ClosestPoint final : public Surroundings {
 public:
  explicit ClosestPoint(const mesh::Mesh& mesh)
      : surface_(mesh.dimensions(), mesh.coordinates(), mesh.edges(), triangles(mesh)) {}

  void project(std::span<const double> points, std::span<geometry::Projection> out) const override {
    surface_.project(points, out);
  }

 private:
  geometry::SurfaceIndex surface_;
};

class ClosestCandidate final : public Surroundings {
 public:
  ClosestCandidate(const mesh::Mesh& mesh, geometry::Ties ties)
      : dimensions_(mesh.dimensions()), vertices_(mesh.dimensions(), mesh.coordinates()) {
    std::vector<LocalIndex> faces = geometry::faces_of(mesh.tetrahedra(), geometry::Faces::all);
    faces.insert(faces.end(), mesh.triangles().begin(), mesh.triangles().end());
    if (dimensions_ == 3) {
      stages_.emplace_back(dimensions_, mesh.coordinates(), faces, 3, ties);
    }
    stages_.emplace_back(dimensions_, mesh.coordinates(), geometry::all_edges(mesh.edges(), faces),
                         2, ties);
  }

  void project(std::span<const double> points, std::span<geometry::Projection> out) const override {
    std::vector<LocalIndex> ids(out.size());
    std::vector<double> distances2(out.size());
    vertices_.nearest(points, ids, distances2);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const geometry::Point point = geometry::point_at(dimensions_, points, i);
      out[i] = {{1, 0, 0}, distances2[i], {ids[i], -1, -1}, 1};
      for (const geometry::Candidates& stage : stages_) {
        if (const auto found = stage.project(point, distances2[i]); found.size > 0) {
          out[i] = found;
          break;
        }
      }
    }
  }

 private:
  int dimensions_;
  geometry::PointIndex vertices_;
  std::vector<geometry::Candidates> stages_;
};

class LinearCell final : public Mapping {
 public:
  LinearCell(const mesh::Mesh& mesh, Outside outside)
      : mesh_(mesh),
        dimensions_(static_cast<std::size_t>(mesh.dimensions())),
        outside_(outside),
        cells_(mesh.dimensions(), mesh.coordinates(),
               mesh.dimensions() == 2 ? mesh.triangles() : mesh.tetrahedra()) {}

  Interpolation interpolate(std::span<const double> points) const override {
    const std::size_t count = points.size() / dimensions_;
    Interpolation result;
    result.counts.assign(count, 0);
    result.distances2.assign(count, std::numeric_limits<double>::infinity());
    if (mesh_.num_vertices() == 0) {
      return result;
    }
    std::vector<geometry::CellPoint> inside(count);
    parallel_for(count, block_of_points, [&](std::size_t begin, std::size_t end) {
      cells_.locate(points.subspan(begin * dimensions_, (end - begin) * dimensions_),
                    std::span(inside).subspan(begin, end - begin));
    });
    std::vector<double> others;
    for (std::size_t i = 0; i < count; ++i) {
      if (!inside[i].found()) {
        const auto point = points.subspan(i * dimensions_, dimensions_);
        others.insert(others.end(), point.begin(), point.end());
      }
    }
    const std::vector<geometry::Projection> outside = project(others);
    auto projection = outside.begin();
    for (std::size_t i = 0; i < count; ++i) {
      if (inside[i].found()) {
        append(inside[i].vertex, inside[i].weight, dimensions_ + 1, 0.0, i, result);
      } else {
        append(projection->vertex, projection->weight, static_cast<std::size_t>(projection->size),
               projection->distance2, i, result);
        ++projection;
      }
    }
    if (outside_ == Outside::candidates) {
      note_needed(points, result);
    }
    return result;
  }

 private:
  [[nodiscard]] std::vector<geometry::Projection> project(std::span<const double> points) const {
    std::vector<geometry::Projection> result(points.size() / dimensions_);
    if (result.empty()) {
      return result;
    }
    std::unique_ptr<Surroundings> surroundings;
    if (outside_ == Outside::closest) {
      surroundings = std::make_unique<ClosestPoint>(mesh_);
    } else {
      surroundings = std::make_unique<ClosestCandidate>(mesh_, outside_ == Outside::candidates
                                                                   ? geometry::Ties::by_place
                                                                   : geometry::Ties::by_number);
    }
    parallel_for(result.size(), block_of_points, [&](std::size_t begin, std::size_t end) {
      const std::size_t size = end - begin;
      surroundings->project(points.subspan(begin * dimensions_, size * dimensions_),
                            std::span(result).subspan(begin, size));
    });
    return result;
  }

  /// A triangle that has not come yet, but is not farther than the nearest vertex, may win over an
  /// edge that is closer.
  void note_needed(std::span<const double> points, Interpolation& result) const {
    result.needed2 = result.distances2;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < result.num_points(); ++i) {
      const auto size = static_cast<std::size_t>(result.counts[i]);
      if (dimensions_ == 3 && size == 2) {
        for (std::size_t k = 0; k < size; ++k) {
          const auto vertex = static_cast<std::size_t>(result.columns[entry + k]);
          result.needed2[i] = std::max(
              result.needed2[i], distance2(geometry::point_at(3, points, i),
                                           geometry::point_at(3, mesh_.coordinates(), vertex)));
        }
      }
      entry += size;
    }
  }

  template <typename Vertices, typename Weights>
  static void append(const Vertices& vertices, const Weights& weights, std::size_t size,
                     double distance2, std::size_t point, Interpolation& result) {
    result.counts[point] = static_cast<LocalIndex>(size);
    result.distances2[point] = distance2;
    const auto count = static_cast<std::ptrdiff_t>(size);
    result.columns.insert(result.columns.end(), vertices.begin(), vertices.begin() + count);
    result.weights.insert(result.weights.end(), weights.begin(), weights.begin() + count);
  }

  const mesh::Mesh& mesh_;
  std::size_t dimensions_;
  Outside outside_;
  geometry::CellIndex cells_;
};

} // namespace

std::unique_ptr<Mapping> make_linear_cell(const mesh::Mesh& mesh, Outside outside) {
  return std::make_unique<LinearCell>(mesh, outside);
}

} // namespace isthmus::mapping
