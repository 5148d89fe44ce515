// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/selection.hpp"

#include "isthmus/geometry/cover.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::transfer {

namespace {

using geometry::Box;
using geometry::Point;

Point point(const mesh::Mesh& mesh, LocalIndex vertex) {
  return geometry::point_at(mesh.dimensions(), mesh.coordinates(),
                            static_cast<std::size_t>(vertex));
}

bool touches_any(const Box& box, std::span<const Box> boxes) {
  return std::any_of(boxes.begin(), boxes.end(),
                     [&box](const Box& b) { return b.intersects(box); });
}

/// Elements whose box touches one of `boxes`; marks their vertices.
std::vector<LocalIndex> select_elements(const mesh::Mesh& mesh,
                                        std::span<const LocalIndex> elements, std::size_t corners,
                                        std::span<const Box> boxes, std::vector<char>& marked) {
  std::vector<LocalIndex> chosen;
  for (std::size_t e = 0; e < elements.size(); e += corners) {
    Box box;
    for (std::size_t i = 0; i < corners; ++i) {
      box.expand(point(mesh, elements[e + i]));
    }
    if (touches_any(box, boxes)) {
      for (std::size_t i = 0; i < corners; ++i) {
        chosen.push_back(elements[e + i]);
        marked[static_cast<std::size_t>(elements[e + i])] = 1;
      }
    }
  }
  return chosen;
}

} // namespace

bool lie_in(const mesh::Mesh& mesh, std::span<const Box> boxes) {
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    const Point x = point(mesh, v);
    if (std::none_of(boxes.begin(), boxes.end(), [&x](const Box& b) { return b.contains(x); })) {
      return false;
    }
  }
  return true;
}

std::vector<Box> boxes_around(const mesh::Mesh& mesh, bool with_room) {
  constexpr int most = 16;
  constexpr int few = 256;       // vertices
  constexpr double share = 0.03; // of the diagonal
  const int number = with_room ? std::clamp(mesh.num_vertices() / few, 1, most) : most;
  std::vector<Box> boxes = geometry::cover(mesh.dimensions(), mesh.coordinates(), number);
  for (Box& box : boxes) {
    box.expand(with_room ? share * box.diagonal() : 0.0);
  }
  return boxes;
}

Selection select(const mesh::Mesh& mesh, std::span<const Box> boxes, bool with_connectivity) {
  Selection selection;
  const Box whole = geometry::bounding_box(mesh.dimensions(), mesh.coordinates());
  const bool inside_one = std::any_of(boxes.begin(), boxes.end(), [&whole](const Box& box) {
    return box.contains(whole.lo) && box.contains(whole.hi);
  });
  if (inside_one && !whole.empty()) {
    selection.everything = true;
    return selection;
  }
  const auto count = static_cast<std::size_t>(mesh.num_vertices());
  std::vector<char> marked(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Point x = point(mesh, static_cast<LocalIndex>(i));
    marked[i] =
        std::any_of(boxes.begin(), boxes.end(), [&x](const Box& b) { return b.contains(x); });
  }
  if (with_connectivity) {
    selection.edges = select_elements(mesh, mesh.edges(), 2, boxes, marked);
    selection.triangles = select_elements(mesh, mesh.triangles(), 3, boxes, marked);
    selection.tetrahedra = select_elements(mesh, mesh.tetrahedra(), 4, boxes, marked);
  }
  std::vector<LocalIndex> position(count, -1);
  for (std::size_t i = 0; i < count; ++i) {
    if (marked[i] != 0) {
      position[i] = static_cast<LocalIndex>(selection.vertices.size());
      selection.vertices.push_back(static_cast<LocalIndex>(i));
    }
  }
  for (auto* list : {&selection.edges, &selection.triangles, &selection.tetrahedra}) {
    for (LocalIndex& vertex : *list) {
      vertex = position[static_cast<std::size_t>(vertex)];
    }
  }
  return selection;
}

double longest_element(const mesh::Mesh& mesh) {
  double longest2 = 0;
  const auto measure = [&mesh, &longest2](LocalIndex a, LocalIndex b) {
    const Point x = point(mesh, a);
    const Point y = point(mesh, b);
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    longest2 = std::max(longest2, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  };
  const auto measure_all = [&measure](std::span<const LocalIndex> elements, std::size_t corners) {
    for (std::size_t e = 0; e < elements.size(); e += corners) {
      for (std::size_t i = 0; i < corners; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          measure(elements[e + i], elements[e + j]);
        }
      }
    }
  };
  measure_all(mesh.edges(), 2);
  measure_all(mesh.triangles(), 3);
  measure_all(mesh.tetrahedra(), 4);
  return std::sqrt(longest2);
}

} // namespace isthmus::transfer
