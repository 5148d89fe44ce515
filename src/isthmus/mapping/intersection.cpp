// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/bvh.hpp"
#include "isthmus/geometry/search/packing.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/shared_points.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

/// The vertices of an element and where they lie.
struct Element {
  std::span<const LocalIndex> vertices;
  std::array<Point, 4> points{};

  [[nodiscard]] std::span<const Point> corners() const {
    return std::span(points).first(vertices.size());
  }
};

/// Of the elements that are joined: tetrahedra if there are any, else triangles, else edges.
std::size_t corners_of(const mesh::Mesh& mesh) {
  if (!mesh.tetrahedra().empty()) {
    return 4;
  }
  return mesh.triangles().empty() ? 2 : 3;
}

std::span<const LocalIndex> elements_of(const mesh::Mesh& mesh, std::size_t corners) {
  if (corners == 4) {
    return mesh.tetrahedra();
  }
  return corners == 3 ? mesh.triangles() : mesh.edges();
}

Element element_at(const mesh::Mesh& mesh, std::span<const LocalIndex> list, std::size_t corners,
                   std::size_t i) {
  Element element{list.subspan(i * corners, corners)};
  for (std::size_t k = 0; k < corners; ++k) {
    element.points[k] = geometry::point_at(mesh.dimensions(), mesh.coordinates(),
                                           static_cast<std::size_t>(element.vertices[k]));
  }
  return element;
}

geometry::Box box_of(const Element& element) {
  geometry::Box box;
  for (const Point& corner : element.corners()) {
    box.expand(corner);
  }
  return box;
}

class Intersection final : public Mapping {
 public:
  explicit Intersection(const mesh::Mesh& mesh)
      : mesh_(mesh),
        corners_(corners_of(mesh)),
        list_(elements_of(mesh, corners_)),
        projection_(corners_ == 4 ? make_linear_cell(mesh) : make_nearest_projection(mesh)) {
    const std::size_t count = list_.size() / corners_;
    const geometry::Box extent = geometry::bounding_box(mesh.dimensions(), mesh.coordinates());
    const auto order = geometry::packed(extent, count, [&](LocalIndex i) {
      return box_of(element_at(mesh_, list_, corners_, static_cast<std::size_t>(i))).center();
    });
    bvh_ = geometry::Bvh(extent, count);
    for (std::size_t i = 0; i < count; ++i) {
      elements_.push_back(
          element_at(mesh_, list_, corners_, static_cast<std::size_t>(order[i].id)));
      boxes_.push_back(box_of(elements_.back()));
      bvh_.set_box(i, boxes_.back());
    }
    bvh_.close();
  }

  Interpolation interpolate(std::span<const double> points) const override {
    return projection_->interpolate(points);
  }

  Interpolation onto(const mesh::Mesh& asking) const override {
    std::vector<Row> rows(static_cast<std::size_t>(asking.num_vertices()));
    const std::span<const LocalIndex> list = elements_of(asking, corners_);
    for (std::size_t i = 0; i < list.size() / corners_; ++i) {
      add(element_at(asking, list, corners_, i), rows);
    }
    for (Row& row : rows) {
      row.merge();
    }
    return finish(asking, rows);
  }

 private:
  struct Row {
    std::vector<std::pair<LocalIndex, double>> entries;
    double measure = 0; // integral of the shape function
    double reach = 0;   // how far elements matter

    /// One entry for each vertex, the sum of those that came.
    void merge() {
      std::sort(entries.begin(), entries.end());
      std::size_t last = 0;
      for (std::size_t k = 1; k < entries.size(); ++k) {
        if (entries[k].first == entries[last].first) {
          entries[last].second += entries[k].second;
        } else {
          entries[++last] = entries[k];
        }
      }
      entries.resize(entries.empty() ? 0 : last + 1);
    }
  };

  void add(const Element& element, std::vector<Row>& rows) const {
    const geometry::Box box = box_of(element);
    const double size = longest_edge(element.corners());
    for (LocalIndex vertex : element.vertices) {
      Row& row = rows[static_cast<std::size_t>(vertex)];
      row.measure += measure(element.corners()) / static_cast<double>(corners_);
      // as far as is looked at below, from the center of the box, at most 0.87 sizes away
      row.reach = std::max(row.reach, (corners_ == 4 ? 2 : 3) * size);
    }
    geometry::Bvh::Cursor cursor;
    const auto query = bvh_.query(box.center());
    const double across = corners_ == 4 ? size : 2 * size; // surfaces may lie apart
    const float reach = bvh_.reach(query, across * across);
    std::vector<std::size_t> near;
    bvh_.search(cursor, query, reach, [&](std::size_t item) {
      near.push_back(item);
      return reach;
    });
    std::vector<SharedPoint> points;
    for (std::size_t item : near) {
      if (corners_ == 4 && !box.intersects(boxes_[item])) {
        continue;
      }
      if (corners_ == 4) {
        shared_volume(element.corners(), elements_[item].corners(), points);
      } else {
        shared_points(element.corners(), elements_[item].corners(), points);
      }
      add(element, elements_[item], points, rows);
    }
  }

  /// Dual shape functions, n + 1 times the shape function less one, integrate with shape functions
  /// to zero but with their own.
  void add(const Element& element, const Element& other, std::span<const SharedPoint> points,
           std::vector<Row>& rows) const {
    for (std::size_t a = 0; a < corners_ && !points.empty(); ++a) {
      std::array<double, 4> sums{};
      for (const SharedPoint& point : points) {
        const double dual = static_cast<double>(corners_ + 1) * point.in_first[a] - 1.0;
        for (std::size_t b = 0; b < corners_; ++b) {
          sums[b] += point.weight * dual * point.in_second[b];
        }
      }
      auto& entries = rows[static_cast<std::size_t>(element.vertices[a])].entries;
      for (std::size_t b = 0; b < corners_; ++b) {
        entries.emplace_back(other.vertices[b], sums[b]);
      }
    }
  }

  Interpolation finish(const mesh::Mesh& asking, std::span<const Row> rows) const {
    const Interpolation nearest = projection_->interpolate(asking.coordinates());
    Interpolation result;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto count = static_cast<std::size_t>(nearest.counts[i]);
      result.distances2.push_back(std::max(nearest.distances2[i], rows[i].reach * rows[i].reach));
      if (!append(rows[i], result)) {
        result.counts.push_back(nearest.counts[i]);
        for (std::size_t k = entry; k < entry + count; ++k) {
          result.columns.push_back(nearest.columns[k]);
          result.weights.push_back(nearest.weights[k]);
        }
      }
      entry += count;
    }
    return result;
  }

  /// False where less than half of the surroundings of a vertex is covered.
  bool append(const Row& row, Interpolation& result) const {
    double sum = 0;
    for (const auto& [column, value] : row.entries) {
      sum += value;
    }
    if (!(sum > 0.5 * row.measure) || row.measure == 0) {
      return false;
    }
    std::vector<std::pair<LocalIndex, double>> sorted = row.entries;
    std::sort(sorted.begin(), sorted.end(), [this](const auto& a, const auto& b) {
      const Point x = place(a.first);
      const Point y = place(b.first);
      return x != y ? x < y : a.first < b.first;
    });
    for (const auto& [column, value] : sorted) {
      result.columns.push_back(column);
      result.weights.push_back(value / sum);
    }
    result.counts.push_back(static_cast<LocalIndex>(sorted.size()));
    return true;
  }

  [[nodiscard]] Point place(LocalIndex vertex) const {
    return geometry::point_at(mesh_.dimensions(), mesh_.coordinates(),
                              static_cast<std::size_t>(vertex));
  }

  const mesh::Mesh& mesh_;
  std::size_t corners_;
  std::span<const LocalIndex> list_;
  std::unique_ptr<Mapping> projection_;
  std::vector<Element> elements_; // packed
  std::vector<geometry::Box> boxes_;
  geometry::Bvh bvh_;
};

} // namespace

std::unique_ptr<Mapping> make_intersection(const mesh::Mesh& mesh) {
  return std::make_unique<Intersection>(mesh);
}

} // namespace isthmus::mapping
