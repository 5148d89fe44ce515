// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/mesh_transfer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus;
using namespace isthmus::transfer;
using isthmus::geometry::Box;
using isthmus::mesh::Mesh;

namespace {

/// A flat sheet of n by n vertices with spacing 1.
Mesh sheet(int n) {
  Mesh mesh("Sheet", 3);
  for (int i = 0; i < n * n; ++i) {
    mesh.add_vertices(
        std::vector<double>{static_cast<double>(i % n), static_cast<double>(i / n), 0});
  }
  for (LocalIndex j = 0; j + 1 < n; ++j) {
    for (LocalIndex i = 0; i + 1 < n; ++i) {
      const LocalIndex a = j * n + i;
      mesh.add_triangles(std::vector{a, a + 1, a + n, a + n, a + 1, a + n + 1});
      mesh.add_edges(std::vector{a, a + 1});
    }
  }
  return mesh;
}

Box random_box(std::mt19937& engine, double size) {
  std::uniform_real_distribution<double> draw(-1, size);
  Box box;
  for (int k = 0; k < 2; ++k) {
    box.expand(isthmus::geometry::Point{draw(engine), draw(engine), 0});
  }
  return box;
}

/// Whether two boxes share a point; written out as an oracle.
bool meet(const Mesh& mesh, std::span<const LocalIndex> corners, const Box& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    double lo = 1e300;
    double hi = -1e300;
    for (const LocalIndex corner : corners) {
      lo = std::min(lo, mesh.vertex(corner)[k]);
      hi = std::max(hi, mesh.vertex(corner)[k]);
    }
    if (hi < box.lo[k] || lo > box.hi[k]) {
      return false;
    }
  }
  return true;
}

using Corners = std::multiset<std::vector<LocalIndex>>;

Corners expected(const Mesh& mesh, std::span<const LocalIndex> elements, std::size_t width,
                 const std::vector<Box>& boxes) {
  Corners result;
  for (std::size_t e = 0; e < elements.size(); e += width) {
    const auto corners = elements.subspan(e, width);
    if (std::any_of(boxes.begin(), boxes.end(),
                    [&](const Box& box) { return meet(mesh, corners, box); })) {
      result.emplace(corners.begin(), corners.end());
    }
  }
  return result;
}

Corners chosen(const transfer::Selection& selection, const std::vector<LocalIndex>& positions,
               std::size_t width) {
  Corners result;
  for (std::size_t e = 0; e < positions.size(); e += width) {
    std::vector<LocalIndex> corners;
    for (std::size_t c = 0; c < width; ++c) {
      corners.push_back(selection.vertex(positions[e + c]));
    }
    result.insert(corners);
  }
  return result;
}

} // namespace

TEST_CASE("a selection has the elements that touch the boxes and their vertices") {
  const Mesh mesh = sheet(8);
  std::mt19937 engine(1);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<Box> boxes{random_box(engine, 6), random_box(engine, 6)};
    for (const bool with_connectivity : {true, false}) {
      const transfer::Selection selection = transfer::select(mesh, boxes, with_connectivity);
      REQUIRE(!selection.everything);
      Corners triangles;
      Corners edges;
      if (with_connectivity) {
        triangles = expected(mesh, mesh.triangles(), 3, boxes);
        edges = expected(mesh, mesh.edges(), 2, boxes);
      }
      CHECK(chosen(selection, selection.triangles, 3) == triangles);
      CHECK(chosen(selection, selection.edges, 2) == edges);
      std::set<LocalIndex> vertices;
      for (const Corners* elements : {&triangles, &edges}) {
        for (const auto& corners : *elements) {
          vertices.insert(corners.begin(), corners.end());
        }
      }
      for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
        const std::vector<LocalIndex> point{v};
        if (meet(mesh, point, boxes[0]) || meet(mesh, point, boxes[1])) {
          vertices.insert(v);
        }
      }
      CHECK(selection.vertices == std::vector<LocalIndex>(vertices.begin(), vertices.end()));
      CHECK(selection.num_vertices(mesh) == static_cast<LocalIndex>(vertices.size()));
    }
  }
}

TEST_CASE("a box around a mesh selects everything without lists") {
  const Mesh mesh = sheet(3);
  const std::vector<Box> boxes{{{-1, -1, -1}, {3, 3, 3}}};
  const transfer::Selection selection = transfer::select(mesh, boxes, true);
  CHECK(selection.everything);
  CHECK(selection.vertices.empty());
  CHECK(selection.num_vertices(mesh) == 9);
  CHECK(selection.vertex(5) == 5);
}

TEST_CASE("a selection is coordinates, and elements by position") {
  Mesh mesh("M", 2);
  mesh.add_vertices(std::vector<double>{0, 1, 2, 3, 4, 5});
  mesh.add_edges(std::vector<LocalIndex>{1, 2});
  const std::vector<Box> everywhere{{{-9, -9, 0}, {9, 9, 0}}};
  const std::vector<Box> above{{{1, 1, 0}, {9, 9, 0}}};
  for (const bool with_connectivity : {true, false}) {
    for (const std::vector<Box>& boxes : {everywhere, above}) {
      const Selection selection = select(mesh, boxes, with_connectivity);
      CHECK(selection.everything == (boxes == everywhere));
      const SelectedArrays selected(mesh, selection, with_connectivity);
      CHECK(std::ranges::equal(selected.view.coordinates,
                               selection.everything ? std::vector<double>{0, 1, 2, 3, 4, 5}
                                                    : std::vector<double>{2, 3, 4, 5}));
      const std::vector<LocalIndex> edge =
          selection.everything ? std::vector<LocalIndex>{1, 2} : std::vector<LocalIndex>{0, 1};
      CHECK(std::ranges::equal(selected.view.elements[0],
                               with_connectivity ? edge : std::vector<LocalIndex>()));
      CHECK(selected.view.elements[1].empty());
      CHECK(selected.view.elements[2].empty());
    }
  }
}

TEST_CASE("without boxes or vertices nothing is selected") {
  CHECK(transfer::select(sheet(3), {}, true).num_vertices(sheet(3)) == 0);
  const Mesh empty("Empty", 2);
  const std::vector<Box> boxes{{{-1, -1, -1}, {3, 3, 3}}};
  CHECK(transfer::select(empty, boxes, true).num_vertices(empty) == 0);
}

TEST_CASE("the longest element") {
  CHECK(transfer::longest_element(sheet(3)) == doctest::Approx(std::sqrt(2.0)));
  Mesh line("Line", 2);
  line.add_vertices(std::vector<double>{0, 0, 3, 4, 3, 5});
  CHECK(transfer::longest_element(line) == 0);
  line.add_edges(std::vector<LocalIndex>{1, 2, 0, 1});
  CHECK(transfer::longest_element(line) == 5);
}
