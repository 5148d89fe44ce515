// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/surface_index.hpp"

#include "geometry/clouds.hpp"
#include "isthmus/geometry/project_sorted.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <tuple>

using namespace isthmus;
using namespace isthmus::geometry;
using clouds::Coords;
using Ids = std::vector<LocalIndex>;

namespace {

/// The projections of the library for corners in any order, one element at a time: an oracle for
/// the index.
namespace any_order {

Projection closest_on_edge(const Point& query, const Corner& a, const Corner& b) {
  return lexicographic(b, a) ? isthmus::geometry::closest_on_edge(query, b, a)
                             : isthmus::geometry::closest_on_edge(query, a, b);
}

Projection closest_on_triangle(const Point& query, std::array<Corner, 3> corners) {
  std::sort(corners.begin(), corners.end(), isthmus::geometry::lexicographic);
  return isthmus::geometry::closest_on_triangle(query, corners);
}

} // namespace any_order

std::vector<Projection> ask(int dim, const Coords& coords, const Ids& edges, const Ids& triangles,
                            const Coords& queries) {
  std::vector<Projection> out(point_count(dim, queries));
  SurfaceIndex(dim, coords, edges, triangles).project(queries, out);
  return out;
}

// Squared distance to a closed triangle by a search through barycentric coordinates that refines
// around the best: no case distinction in common with the library.
double searched_distance2(const Point& q, const Point& a, const Point& b, const Point& c) {
  double best = Box::infinity;
  double s0 = 0.5;
  double t0 = 0.5;
  for (double reach = 0.5; reach > 1e-9; reach *= 0.6) {
    double s1 = s0;
    double t1 = t0;
    for (int i = -5; i <= 5; ++i) {
      for (int j = -5; j <= 5; ++j) {
        const double s = std::clamp(s0 + reach * i / 5.0, 0.0, 1.0);
        const double t = std::clamp(t0 + reach * j / 5.0, 0.0, 1.0 - s);
        double d2 = 0.0;
        for (int k = 0; k < 3; ++k) {
          const double d = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]) - q[k];
          d2 += d * d;
        }
        if (d2 < best) {
          best = d2;
          s1 = s;
          t1 = t;
        }
      }
    }
    s0 = s1;
    t0 = t1;
  }
  return best;
}

// Best over all elements, one by one, with the library's projection and the promised preference.
Projection best_of_all(int dim, const Coords& coords, const Ids& edges, const Ids& triangles,
                       const Point& query) {
  const auto corner = [&](LocalIndex i) {
    return Corner{i, point_at(dim, coords, std::size_t(i))};
  };
  std::vector<Projection> all;
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const LocalIndex* t = &triangles[i];
    if (dim == 3) {
      all.push_back(
          any_order::closest_on_triangle(query, {corner(t[0]), corner(t[1]), corner(t[2])}));
    } else {
      for (int k = 0; k < 3; ++k) {
        all.push_back(any_order::closest_on_edge(query, corner(t[k]), corner(t[(k + 1) % 3])));
      }
    }
  }
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    all.push_back(any_order::closest_on_edge(query, corner(edges[i]), corner(edges[i + 1])));
  }
  for (LocalIndex i = 0; i < LocalIndex(point_count(dim, coords)); ++i) {
    if (std::count(triangles.begin(), triangles.end(), i) == 0 &&
        std::count(edges.begin(), edges.end(), i) == 0) {
      all.push_back(closest_on_vertex(query, corner(i)));
    }
  }
  const auto key = [&](const Projection& p) {
    std::array<Point, 3> x{};
    for (int k = 0; k < p.size; ++k) {
      x[k] = corner(p.vertex[k]).x;
    }
    return std::tuple(p.distance2, -p.size, x, p.vertex);
  };
  return *std::min_element(all.begin(), all.end(),
                           [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

void check_against_all(int dim, const Coords& coords, const Ids& edges, const Ids& triangles,
                       const Coords& queries) {
  const auto found = ask(dim, coords, edges, triangles, queries);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    REQUIRE(found[i] == best_of_all(dim, coords, edges, triangles, point_at(dim, queries, i)));
  }
}

// Queries around a surface; some on a lattice so that ties happen.
Coords queries_around(const Coords& coords, int dim, std::size_t n, double offset, unsigned seed) {
  const Coords noise = clouds::uniform(dim, n, seed, 2.0 * offset);
  Coords queries;
  const auto order = clouds::shuffled(point_count(dim, coords), seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < dim; ++k) {
      const std::size_t d = std::size_t(dim);
      const double x = coords[std::size_t(order[i % order.size()]) * d + std::size_t(k)];
      queries.push_back(x + noise[i * d + std::size_t(k)] - offset);
    }
  }
  return queries;
}

} // namespace

TEST_CASE("the projection on a triangle is the closest point") {
  const Coords draw = clouds::uniform(3, 4 * 200, 21);
  for (std::size_t i = 0; i < 200; ++i) {
    const auto p = [&](std::size_t k) { return point_at(3, draw, 4 * i + k); };
    const Projection found =
        any_order::closest_on_triangle(p(3), {Corner{0, p(0)}, {1, p(1)}, {2, p(2)}});
    CHECK(found.distance2 ==
          doctest::Approx(searched_distance2(p(3), p(0), p(1), p(2))).epsilon(1e-6));
    Point x{};
    double sum = 0.0;
    for (int k = 0; k < found.size; ++k) {
      CHECK(found.weight[k] >= 0.0);
      sum += found.weight[k];
      for (int axis = 0; axis < 3; ++axis) {
        x[axis] += found.weight[k] * p(std::size_t(found.vertex[k]))[axis];
      }
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-14));
    Box at;
    at.expand(x);
    CHECK(at.distance2(p(3)) == doctest::Approx(found.distance2).epsilon(1e-12));
  }
}

TEST_CASE("the closest place on an edge is that of the edge alone, bit for bit") {
  const Coords draw = clouds::uniform(3, 4 * 300, 22);
  for (std::size_t i = 0; i < 300; ++i) {
    std::array<Corner, 3> v;
    for (int k = 0; k < 3; ++k) {
      v[k] = {k, point_at(3, draw, 4 * i + std::size_t(k))};
    }
    const Point q = point_at(3, draw, 4 * i + 3);
    const Projection expected = any_order::closest_on_triangle(q, {v[0], v[1], v[2]});
    if (expected.size == 2) {
      CHECK(any_order::closest_on_edge(q, v[expected.vertex[1]], v[expected.vertex[0]]) ==
            expected);
    } else if (expected.size == 1) {
      CHECK(closest_on_vertex(q, v[expected.vertex[0]]) == expected);
    }
  }
}

TEST_CASE("degenerate triangles are their longest edge, degenerate edges their vertex") {
  const Point q{1.2, 1.0, 0.0};
  const Corner a{5, {0.0, 0.0, 0.0}};
  const Corner b{6, {1.0, 0.0, 0.0}};
  const Corner c{7, {3.0, 0.0, 0.0}};
  CHECK(any_order::closest_on_triangle(q, {b, c, a}) == any_order::closest_on_edge(q, a, c));
  CHECK(any_order::closest_on_triangle(q, {a, c, a}) == any_order::closest_on_edge(q, a, c));
  CHECK(any_order::closest_on_edge(q, b, b) == closest_on_vertex(q, b));
  CHECK(any_order::closest_on_triangle(q, {b, b, b}) == closest_on_vertex(q, b));
  CHECK(any_order::closest_on_edge(q, a, c).weight[1] == doctest::Approx(0.4));
}

TEST_CASE("a query on a vertex is exact") {
  const auto s = clouds::sheet(9, 0.2);
  const auto found = ask(3, s.coords, {}, s.triangles, s.coords);
  for (LocalIndex i = 0; i < LocalIndex(found.size()); ++i) {
    REQUIRE(found[std::size_t(i)] == Projection{{1.0, 0.0, 0.0}, 0.0, {i, -1, -1}, 1});
  }
}

TEST_CASE("the index finds what a search through all finds") {
  for (const int n : {2, 3, 6, 14}) {
    for (const double amplitude : {0.0, 0.3}) {
      const auto s = clouds::sheet(n, amplitude);
      for (const double offset : {0.0, 1e-3, 0.1, 2.0}) {
        CAPTURE(n);
        CAPTURE(offset);
        check_against_all(3, s.coords, {}, s.triangles,
                          queries_around(s.coords, 3, 80, offset, 23));
      }
    }
  }
}

TEST_CASE("soups of triangles, free edges and vertices") {
  for (const int dim : {2, 3}) {
    const Coords coords = clouds::uniform(dim, 90, 24);
    const Coords queries = clouds::uniform(dim, 150, 25, 1.2);
    Ids edges;
    Ids triangles;
    for (LocalIndex i = 0; i < 60; ++i) {
      triangles.insert(triangles.end(), {i, (7 * i + 3) % 60, (11 * i + 5) % 60});
      edges.insert(edges.end(), {60 + i % 30, (i * 13) % 90});
    }
    edges.insert(edges.end(), {triangles[0], triangles[1], triangles[1], triangles[0]});
    check_against_all(dim, coords, edges, triangles, queries);
    check_against_all(dim, coords, edges, {}, queries);
    check_against_all(dim, coords, {}, {}, queries);
  }
}

TEST_CASE("only free edges and vertices get entries") {
  const Coords coords = clouds::uniform(3, 8, 26);
  CHECK(SurfaceIndex(3, coords, Ids{0, 1, 1, 0, 2, 0, 2, 3}, Ids{0, 1, 2}).size() == 1 + 1 + 4);
  CHECK(SurfaceIndex(3, coords, {}, {}).size() == 8);
  const Coords flat = clouds::uniform(2, 5, 27);
  CHECK(SurfaceIndex(2, flat, Ids{0, 1}, Ids{0, 1, 2, 2, 1, 3}).size() == 5 + 1);
}

TEST_CASE("results do not depend on the order of vertices, triangles, corners and queries") {
  const auto s = clouds::sheet(12, 0.0); // flat: distances above edges and vertices tie
  Coords queries;
  for (int i = 0; i < 23; ++i) {
    for (int j = 0; j < 23; ++j) {
      queries.insert(queries.end(), {i / 22.0, j / 22.0, 0.25});
    }
  }
  const auto expected = ask(3, s.coords, {}, s.triangles, queries);
  const std::size_t vertices = s.coords.size() / 3;
  const std::size_t faces = s.triangles.size() / 3;
  for (unsigned seed = 30; seed < 34; ++seed) {
    const Ids vertex_order = clouds::shuffled(vertices, seed);
    Ids new_id(vertices);
    for (std::size_t i = 0; i < vertices; ++i) {
      new_id[std::size_t(vertex_order[i])] = LocalIndex(i);
    }
    Ids triangles = clouds::permuted(s.triangles, 3, clouds::shuffled(faces, seed + 10));
    for (std::size_t t = 0; t < faces; ++t) {
      std::rotate(&triangles[3 * t], &triangles[3 * t + t % 3], &triangles[3 * t] + 3);
    }
    for (LocalIndex& id : triangles) {
      id = new_id[std::size_t(id)];
    }
    const Ids query_order = clouds::shuffled(expected.size(), seed + 20);
    auto found = ask(3, clouds::permuted(s.coords, 3, vertex_order), {}, triangles,
                     clouds::permuted(queries, 3, query_order));
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (int k = 0; k < found[i].size; ++k) {
        found[i].vertex[k] = vertex_order[std::size_t(found[i].vertex[k])];
      }
      REQUIRE(found[i] == expected[std::size_t(query_order[i])]);
    }
  }
}

TEST_CASE("a subset with the closest triangle gives the same bits") {
  const auto s = clouds::sheet(15, 0.2);
  const Coords queries = queries_around(s.coords, 3, 200, 0.05, 40);
  const auto expected = ask(3, s.coords, {}, s.triangles, queries);
  for (std::size_t i = 0; i < 200; ++i) {
    const Point q = point_at(3, queries, i);
    Ids near; // triangles that reach into a box around the query
    for (std::size_t t = 0; t < s.triangles.size(); t += 3) {
      Box box;
      for (std::size_t k = 0; k < 3; ++k) {
        box.expand(point_at(3, s.coords, std::size_t(s.triangles[t + k])));
      }
      if (box.distance2(q) <= 1.01 * expected[i].distance2) {
        near.insert(near.end(), s.triangles.begin() + std::ptrdiff_t(t),
                    s.triangles.begin() + std::ptrdiff_t(t + 3));
      }
    }
    CHECK(ask(3, s.coords, {}, near, {q[0], q[1], q[2]})[0] == expected[i]);
  }
}

TEST_CASE("degenerate surfaces") {
  const Coords queries = clouds::uniform(3, 30, 50, 2.0);
  SUBCASE("empty") {
    CHECK(ask(3, {}, {}, {}, queries) == std::vector<Projection>(30));
  }
  SUBCASE("zero area, one place, one line") {
    Coords coords(30, 0.5);
    coords.insert(coords.end(), {0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0});
    check_against_all(3, coords, Ids{0, 1}, Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 10, 12, 11},
                      queries);
  }
  SUBCASE("huge and tiny") {
    for (const double scale : {1e-70, 1e-12, 1e12, 1e70}) {
      auto s = clouds::sheet(6, 0.2);
      Coords scaled = queries;
      for (double& x : s.coords) {
        x *= scale;
      }
      for (double& x : scaled) {
        x *= scale;
      }
      check_against_all(3, s.coords, {}, s.triangles, scaled);
    }
  }
  SUBCASE("not finite") {
    auto s = clouds::sheet(6, 0.2);
    s.coords[20] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 60; i < 90; i += 5) {
      s.coords[i] = std::numeric_limits<double>::quiet_NaN();
    }
    s.coords[40] = Box::infinity;
    Coords odd = queries;
    odd[0] = Box::infinity;
    odd[4] = std::numeric_limits<double>::quiet_NaN();
    const auto found = ask(3, s.coords, {}, s.triangles, odd);
    CHECK(found[0].size == 0);
    CHECK(found[1].size == 0);
    CHECK(found[2].size > 0);
  }
}
