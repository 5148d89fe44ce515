// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/elements.hpp"
#include "isthmus/geometry/faces.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

using namespace isthmus;
using namespace isthmus::geometry;
using Ids = std::vector<LocalIndex>;

namespace {

std::vector<Element> all_of(const Elements& elements) {
  std::vector<Element> all;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements.prefetch(i); // a hint
    all.push_back(elements[i]);
  }
  return all;
}

using Edge = std::pair<LocalIndex, LocalIndex>;

/// What a closest point must be looked for on, by sets.
std::vector<Element> expected(int dim, LocalIndex vertices, const Ids& edges,
                              const Ids& triangles) {
  std::vector<Element> all;
  std::set<Edge> bounds;
  std::set<LocalIndex> used;
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      bounds.insert(std::minmax(triangles[t + k], triangles[t + (k + 1) % 3]));
    }
    if (dim == 3) {
      all.push_back({triangles[t], triangles[t + 1], triangles[t + 2]});
      used.insert(all.back().begin(), all.back().end());
    }
  }
  std::set<Edge> kept = dim == 3 ? std::set<Edge>{} : bounds;
  for (std::size_t e = 0; e + 1 < edges.size(); e += 2) {
    const Edge edge = std::minmax(edges[e], edges[e + 1]);
    if (dim == 2 || bounds.count(edge) == 0) {
      kept.insert(edge);
    }
  }
  for (const Edge& edge : kept) {
    all.push_back({edge.first, edge.second, -1});
    used.insert({edge.first, edge.second});
  }
  for (LocalIndex id = 0; id < vertices; ++id) {
    if (used.count(id) == 0) {
      all.push_back({id, -1, -1});
    }
  }
  return all;
}

} // namespace

TEST_CASE("triangles, edges that bound none and vertices of neither, each once") {
  const Ids triangles{0, 1, 2, 2, 1, 3};
  const Ids edges{2, 1, 3, 4, 4, 3, 0, 3}; // the first bounds a triangle, two are the same
  CHECK(
      all_of(Elements(3, 7, edges, triangles)) ==
      std::vector<Element>{{0, 1, 2}, {2, 1, 3}, {0, 3, -1}, {3, 4, -1}, {5, -1, -1}, {6, -1, -1}});
  CHECK(all_of(Elements(2, 5, edges, triangles)) ==
        std::vector<Element>{
            {0, 1, -1}, {0, 2, -1}, {0, 3, -1}, {1, 2, -1}, {1, 3, -1}, {2, 3, -1}, {3, 4, -1}});
  CHECK(all_of(Elements(3, 2, {}, {})) == std::vector<Element>{{0, -1, -1}, {1, -1, -1}});
  CHECK(Elements(2, 0, {}, {}).size() == 0);
}

TEST_CASE("the elements of random soups are those that sets find") {
  std::mt19937 engine(8);
  for (const int dim : {2, 3}) {
    for (const LocalIndex vertices : {4, 12, 60}) {
      std::uniform_int_distribution<LocalIndex> draw(0, vertices - 1);
      for (const std::size_t count : {0, 1, 5, 40}) {
        Ids edges(2 * count);
        Ids triangles(3 * (count / 2));
        std::generate(edges.begin(), edges.end(), [&] { return draw(engine); });
        std::generate(triangles.begin(), triangles.end(), [&] { return draw(engine); });
        CHECK(all_of(Elements(dim, std::size_t(vertices), edges, triangles)) ==
              expected(dim, vertices, edges, triangles));
      }
    }
  }
}

TEST_CASE("two tetrahedra at one face have seven faces, of which six are the boundary") {
  const Ids tetrahedra{3, 1, 0, 2, 1, 2, 3, 4};
  CHECK(faces_of(tetrahedra, Faces::all) ==
        Ids{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3, 1, 2, 4, 1, 3, 4, 2, 3, 4});
  CHECK(faces_of(tetrahedra, Faces::boundary) ==
        Ids{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 4, 1, 3, 4, 2, 3, 4});
  const Ids twice{3, 1, 0, 2, 0, 1, 2, 3}; // the same in another order
  CHECK(faces_of(twice, Faces::boundary) == Ids{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3});
  CHECK(faces_of({}, Faces::all).empty());
  CHECK(faces_of({}, Faces::boundary).empty());
}

TEST_CASE("the faces of random tetrahedra are those that a count finds") {
  std::mt19937 engine(9);
  Ids tetrahedra;
  for (int t = 0; t < 200; ++t) {
    Ids corners = clouds::shuffled(9, engine());
    tetrahedra.insert(tetrahedra.end(), corners.begin(), corners.begin() + 4);
  }
  std::set<std::set<LocalIndex>> different;
  for (std::size_t t = 0; t < tetrahedra.size(); t += 4) {
    different.insert(
        {tetrahedra.begin() + std::ptrdiff_t(t), tetrahedra.begin() + std::ptrdiff_t(t + 4)});
  }
  std::map<Ids, int> owners;
  for (const std::set<LocalIndex>& tetrahedron : different) {
    for (const LocalIndex left_out : tetrahedron) {
      Ids face;
      for (const LocalIndex id : tetrahedron) {
        if (id != left_out) {
          face.push_back(id);
        }
      }
      ++owners[face];
    }
  }
  Ids all;
  Ids boundary;
  for (const auto& [face, count] : owners) {
    all.insert(all.end(), face.begin(), face.end());
    if (count == 1) {
      boundary.insert(boundary.end(), face.begin(), face.end());
    }
  }
  CHECK(faces_of(tetrahedra, Faces::all) == all);
  CHECK(faces_of(tetrahedra, Faces::boundary) == boundary);
}
