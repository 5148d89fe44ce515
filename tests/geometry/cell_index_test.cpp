// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/cell_index.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

using namespace isthmus;
using namespace isthmus::geometry;
using clouds::Coords;
using Ids = std::vector<LocalIndex>;

namespace {

struct Mesh {
  int dim;
  Coords coords;
  Ids cells;
};

/// The unit square of triangles, or the unit cube of tetrahedra, whose inner vertices are moved.
Mesh filled(int dim, int n, double noise) {
  Mesh mesh{dim, clouds::grid(dim, n), {}};
  const auto at = [n](int i, int j, int k) { return LocalIndex((k * n + j) * n + i); };
  for (int k = 0; k < (dim == 3 ? n - 1 : 1); ++k) {
    for (int j = 0; j + 1 < n; ++j) {
      for (int i = 0; i + 1 < n; ++i) {
        if (dim == 2) {
          mesh.cells.insert(mesh.cells.end(),
                            {at(i, j, 0), at(i + 1, j, 0), at(i, j + 1, 0), at(i + 1, j + 1, 0),
                             at(i, j + 1, 0), at(i + 1, j, 0)});
          continue;
        }
        const std::array<std::array<int, 3>, 6> orders{
            {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
        for (const auto& order : orders) { // along the axes from corner to corner
          std::array<int, 3> corner{i, j, k};
          mesh.cells.push_back(at(corner[0], corner[1], corner[2]));
          for (const int axis : order) {
            ++corner[std::size_t(axis)];
            mesh.cells.push_back(at(corner[0], corner[1], corner[2]));
          }
        }
      }
    }
  }
  const Coords moves = clouds::uniform(dim, mesh.coords.size(), 77, 2 * noise);
  const double size = n - 1;
  for (std::size_t v = 0; v < mesh.coords.size(); v += std::size_t(dim)) {
    const auto inner = [&](std::size_t d) {
      return mesh.coords[v + d] > 0 && mesh.coords[v + d] < size;
    };
    const bool moves_it = inner(0) && inner(1) && (dim == 2 || inner(2));
    for (std::size_t d = 0; d < std::size_t(dim); ++d) {
      mesh.coords[v + d] += moves_it ? moves[v + d] - noise : 0.0;
      mesh.coords[v + d] /= size;
    }
  }
  return mesh;
}

std::vector<CellPoint> ask(const Mesh& mesh, const Coords& queries) {
  std::vector<CellPoint> out(point_count(mesh.dim, queries));
  CellIndex(mesh.dim, mesh.coords, mesh.cells).locate(queries, out);
  return out;
}

/// The smallest weight of a point in a cell, by Cramer's rule.
double depth(const Mesh& mesh, std::size_t cell, const Point& x) {
  const auto corners = std::size_t(mesh.dim) + 1;
  std::array<Point, 4> p{};
  for (std::size_t k = 0; k < corners; ++k) {
    p[k] = point_at(mesh.dim, mesh.coords, std::size_t(mesh.cells[cell * corners + k]));
  }
  if (mesh.dim == 2) { // a prism of height 1 upon it
    p[3] = p[0];
    p[3][2] = 1;
  }
  const auto determinant = [](const Point& a, const Point& b, const Point& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  const auto from_first = [&p](const Point& q) {
    return Point{q[0] - p[0][0], q[1] - p[0][1], q[2] - p[0][2]};
  };
  const Point a = from_first(p[1]);
  const Point b = from_first(p[2]);
  const Point c = from_first(p[3]);
  const Point r = from_first(x);
  const double whole = determinant(a, b, c);
  const double u = determinant(r, b, c) / whole;
  const double v = determinant(a, r, c) / whole;
  const double w = mesh.dim == 2 ? 0.0 : determinant(a, b, r) / whole;
  const double least = std::min({u, v, 1 - u - v - w});
  return mesh.dim == 2 ? least : std::min(least, w);
}

void check_place(const Mesh& mesh, const CellPoint& found, const Point& x) {
  Point at{};
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (k == 3 && mesh.dim == 2) {
      CHECK(found.vertex[k] == -1);
      CHECK(found.weight[k] == 0);
      continue;
    }
    REQUIRE(found.vertex[k] >= 0);
    CHECK(found.weight[k] >= -1e-10);
    sum += found.weight[k];
    const Point corner = point_at(mesh.dim, mesh.coords, std::size_t(found.vertex[k]));
    for (std::size_t d = 0; d < 3; ++d) {
      at[d] += found.weight[k] * corner[d];
    }
  }
  CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(std::abs(at[d] - x[d]) < 1e-12);
  }
}

} // namespace

TEST_CASE("the cell around a point is the one in which it lies deepest") {
  for (const int dim : {2, 3}) {
    for (const double noise : {0.0, 0.2}) {
      const Mesh mesh = filled(dim, dim == 2 ? 12 : 6, noise);
      const std::size_t count = mesh.cells.size() / (std::size_t(dim) + 1);
      CHECK(CellIndex(dim, mesh.coords, mesh.cells).size() == count);
      Coords queries = clouds::uniform(dim, 150, 41);
      queries.insert(queries.end(), mesh.coords.begin(), mesh.coords.end()); // vertices
      const auto found = ask(mesh, queries);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Point x = point_at(dim, queries, i);
        check_place(mesh, found[i], x);
        double deepest = -Box::infinity;
        for (std::size_t cell = 0; cell < count; ++cell) {
          deepest = std::max(deepest, depth(mesh, cell, x));
        }
        const double least =
            *std::min_element(found[i].weight.begin(), found[i].weight.begin() + dim + 1);
        CHECK(least == doctest::Approx(deepest).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("no cell contains a point outside, or one that is nowhere") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int dim : {2, 3}) {
    const Mesh mesh = filled(dim, 5, 0.1);
    Coords queries;
    for (const double bad : {-1e-6, 1 + 1e-6, 1e9, -1e300, nan, Box::infinity}) {
      for (int d = 0; d < dim; ++d) {
        Coords query(std::size_t(dim), 0.5);
        query[std::size_t(d)] = bad;
        queries.insert(queries.end(), query.begin(), query.end());
      }
    }
    for (const CellPoint& point : ask(mesh, queries)) {
      CHECK_FALSE(point.found());
      CHECK(point.vertex == std::array<LocalIndex, 4>{-1, -1, -1, -1});
      CHECK(point.weight == std::array<double, 4>{});
    }
    CHECK_FALSE(ask({dim, {}, {}}, Coords(std::size_t(dim), 0.5))[0].found());
    CHECK_FALSE(ask({dim, mesh.coords, {}}, Coords(std::size_t(dim), 0.5))[0].found());
  }
}

TEST_CASE("cells without volume contain nothing, and hide none that contain") {
  const Coords coords{0, 0, 1, 0, 2, 0, 0, 2};
  const Coords on_line{0.5, 0, 1.5, 0};
  CHECK_FALSE(ask({2, coords, {0, 1, 2}}, on_line)[0].found());
  const auto found = ask({2, coords, {0, 1, 2, 1, 1, 1, 0, 2, 3, 1, 1, 0}}, on_line);
  for (const CellPoint& point : found) {
    CHECK(point.vertex == std::array<LocalIndex, 4>{0, 3, 2, -1});
  }
}

TEST_CASE("of cells that overlap the deeper one counts, then the one with smaller coordinates") {
  // a small triangle within a large one, and one that is the mirror image
  const Coords coords{0, 0, 4, 0, 0, 4, 1, 1, 2, 1, 1, 2, -4, 0, 0, -4};
  CHECK(ask({2, coords, {3, 4, 5, 0, 1, 2}}, {4.0 / 3, 4.0 / 3})[0].vertex[1] != -1);
  CHECK(ask({2, coords, {3, 4, 5, 0, 1, 2}}, {1.05, 1.05})[0].vertex ==
        std::array<LocalIndex, 4>{0, 2, 1, -1}); // 0.05 deep in the small one, 0.26 in the other
  // on the edge between two triangles, mirrored: as deep in both
  const Mesh both{2, coords, {0, 1, 2, 0, 6, 2}};
  const Mesh turned{2, coords, {2, 6, 0, 2, 0, 1}};
  const auto one = ask(both, {0, 1})[0];
  CHECK(one.vertex == std::array<LocalIndex, 4>{6, 0, 2, -1});
  CHECK(ask(turned, {0, 1})[0].vertex == one.vertex);
}

TEST_CASE("results do not depend on the order of vertices, cells and queries") {
  for (const int dim : {2, 3}) {
    const Mesh mesh = filled(dim, 5, 0.0); // many points lie on faces of several cells
    const Coords queries = [&] {
      Coords all = clouds::grid(dim, 9);
      std::transform(all.begin(), all.end(), all.begin(), [](double x) { return x / 8; });
      return all;
    }();
    const auto expected = ask(mesh, queries);
    const std::size_t vertices = point_count(dim, mesh.coords);
    const std::size_t cells = mesh.cells.size() / std::size_t(dim + 1);
    for (unsigned seed = 1; seed < 4; ++seed) {
      const Ids vertex_order = clouds::shuffled(vertices, seed);
      Ids new_id(vertices);
      for (std::size_t i = 0; i < vertices; ++i) {
        new_id[std::size_t(vertex_order[i])] = LocalIndex(i);
      }
      Mesh other{dim, clouds::permuted(mesh.coords, dim, vertex_order),
                 clouds::permuted(mesh.cells, dim + 1, clouds::shuffled(cells, seed + 10))};
      for (LocalIndex& id : other.cells) {
        id = new_id[std::size_t(id)];
      }
      const Ids query_order = clouds::shuffled(expected.size(), seed + 20);
      const auto found = ask(other, clouds::permuted(queries, dim, query_order));
      for (std::size_t i = 0; i < found.size(); ++i) {
        const CellPoint& wanted = expected[std::size_t(query_order[i])];
        CHECK(found[i].weight == wanted.weight);
        for (std::size_t k = 0; k <= std::size_t(dim); ++k) {
          CHECK(vertex_order[std::size_t(found[i].vertex[k])] == wanted.vertex[k]);
        }
      }
    }
  }
}
