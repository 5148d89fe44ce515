// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/search/cell_index.hpp"
#include "isthmus/geometry/search/surface_index.hpp"
#include "isthmus/mapping/candidate_projection.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/mesh/sides.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

namespace isthmus::mapping {

namespace {

/// Where points outside of all cells go.
class OutsideSearch {
 public:
  OutsideSearch() = default;
  OutsideSearch(const OutsideSearch&) = delete;
  OutsideSearch& operator=(const OutsideSearch&) = delete;
  virtual ~OutsideSearch() = default;
  virtual void project(std::span<const double> points,
                       std::span<geometry::Projection> out) const = 0;
  [[nodiscard]] virtual std::vector<geometry::Element> gather(
      std::span<const double> points) const = 0;
};

class ClosestPoint final : public OutsideSearch {
 public:
  explicit ClosestPoint(const mesh::Mesh& mesh)
      : surface_(mesh.dimensions(), mesh.coordinates(), mesh.edges(),
                 mesh::faces_and_triangles(mesh, geometry::Faces::boundary)) {}

  void project(std::span<const double> points, std::span<geometry::Projection> out) const override {
    surface_.project(points, out);
  }
  std::vector<geometry::Element> gather(std::span<const double> /*points*/) const override {
    return {};
  }

 private:
  geometry::SurfaceIndex surface_;
};

class ClosestCandidate final : public OutsideSearch {
 public:
  ClosestCandidate(const mesh::Mesh& mesh, Outside outside)
      : candidates_(candidates_of(mesh, outside)) {}

  void project(std::span<const double> points, std::span<geometry::Projection> out) const override {
    candidates_->project(points, out);
  }
  std::vector<geometry::Element> gather(std::span<const double> points) const override {
    return candidates_->gather(points);
  }

 private:
  std::unique_ptr<geometry::Candidates> candidates_;
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
    Interpolation result = Interpolation::of_nothing(count);
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
      note_needed(mesh_, points, false, result);
    }
    return result;
  }

  std::vector<geometry::Element> candidates(std::span<const double> points) const override {
    return points.empty() || outside_ == Outside::closest ? std::vector<geometry::Element>()
                                                          : outside_search().gather(points);
  }

 private:
  /// Made when the first point needs it: mostly none does.
  [[nodiscard]] const OutsideSearch& outside_search() const {
    std::call_once(are_made_, [this] {
      if (outside_ == Outside::closest) {
        outside_search_ = std::make_unique<ClosestPoint>(mesh_);
      } else {
        outside_search_ = std::make_unique<ClosestCandidate>(mesh_, outside_);
      }
    });
    return *outside_search_;
  }

  [[nodiscard]] std::vector<geometry::Projection> project(std::span<const double> points) const {
    std::vector<geometry::Projection> result(points.size() / dimensions_);
    if (result.empty()) {
      return result;
    }
    const OutsideSearch& around = outside_search();
    parallel_for(result.size(), block_of_points, [&](std::size_t begin, std::size_t end) {
      const std::size_t size = end - begin;
      around.project(points.subspan(begin * dimensions_, size * dimensions_),
                     std::span(result).subspan(begin, size));
    });
    return result;
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
  mutable std::once_flag are_made_;
  mutable std::unique_ptr<OutsideSearch> outside_search_;
};

} // namespace

std::unique_ptr<Mapping> make_linear_cell(const mesh::Mesh& mesh, Outside outside) {
  return std::make_unique<LinearCell>(mesh, outside);
}

} // namespace isthmus::mapping
