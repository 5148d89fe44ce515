// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/measures.hpp"
#include "isthmus/mesh/mesh.hpp"

#include "mapping/grid_triangles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

using namespace isthmus::mapping;
using isthmus::LocalIndex;
using isthmus::mesh::Mesh;

namespace {

/// n x n points of the unit square, jittered inside, in a plane of space or lifted by `height`.
Mesh quilt(int n, unsigned seed, double height = 0) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> shift(-0.3 / n, 0.3 / n);
  Mesh mesh("Quilt", 3);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double dx = i == 0 || i == n - 1 ? 0 : shift(engine);
      const double dy = j == 0 || j == n - 1 ? 0 : shift(engine);
      const double x = static_cast<double>(i) / (n - 1) + dx;
      const double y = static_cast<double>(j) / (n - 1) + dy;
      mesh.add_vertices(std::vector{x, y, 0.5 * x - y + height * std::sin(2 * x + y)});
    }
  }
  mesh.add_triangles(grid_triangles(n));
  return mesh;
}

/// A polygon of n edges along a line in 2D, or along a curve.
Mesh chain(int n, unsigned seed, double height = 0) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> shift(-0.3 / n, 0.3 / n);
  Mesh mesh("Chain", 2);
  for (int i = 0; i <= n; ++i) {
    const double x = static_cast<double>(i) / n + (i == 0 || i == n ? 0 : shift(engine));
    mesh.add_vertices(std::vector{x, 0.3 * x + height * std::sin(3 * x)});
  }
  for (int i = 0; i < n; ++i) {
    mesh.add_edges(std::vector<LocalIndex>{i + 1, i});
  }
  return mesh;
}

/// n x n x n points of the unit cube, jittered inside, six tetrahedra for each cell.
Mesh block(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> shift(-0.2 / n, 0.2 / n);
  Mesh mesh("Block", 3);
  for (int i = 0; i < n * n * n; ++i) {
    std::vector<double> place;
    for (const int k : {i % n, i / n % n, i / n / n}) {
      place.push_back(static_cast<double>(k) / (n - 1) +
                      (k == 0 || k == n - 1 ? 0 : shift(engine)));
    }
    mesh.add_vertices(place);
  }
  for (int i = 0; i < n * n * n; ++i) {
    if (i % n == n - 1 || i / n % n == n - 1 || i / n / n == n - 1) {
      continue;
    }
    int steps[3] = {1, n, n * n};
    do { // the paths from the lowest corner to the highest one
      mesh.add_tetrahedra(std::vector<LocalIndex>{i, i + steps[0], i + steps[0] + steps[1],
                                                  i + steps[0] + steps[1] + steps[2]});
    } while (std::next_permutation(steps, steps + 3));
  }
  return mesh;
}

/// Of cells of a square in two dimensions.
Mesh tiles(int n, unsigned seed) {
  const Mesh in_space = quilt(n, seed);
  Mesh mesh("Tiles", 2);
  for (LocalIndex i = 0; i < in_space.num_vertices(); ++i) {
    mesh.add_vertices(in_space.vertex(i).first(2));
  }
  mesh.add_triangles(in_space.triangles());
  return mesh;
}

std::vector<double> sampled(const Mesh& mesh, const std::function<double(double, double)>& f) {
  std::vector<double> values;
  for (LocalIndex i = 0; i < mesh.num_vertices(); ++i) {
    values.push_back(f(mesh.vertex(i)[0], mesh.vertex(i)[1]));
  }
  return values;
}

/// Of the piecewise linear function.
double integral(const Mesh& mesh, const std::vector<double>& values) {
  double sum = 0;
  if (!mesh.tetrahedra().empty()) {
    const std::vector<double> measures = isthmus::mesh::vertex_measures(mesh, 3);
    return std::inner_product(measures.begin(), measures.end(), values.begin(), 0.0);
  }
  const std::size_t corners = mesh.triangles().empty() ? 2 : 3;
  const auto list = corners == 3 ? mesh.triangles() : mesh.edges();
  for (std::size_t e = 0; e < list.size(); e += corners) {
    double x[3][3] = {};
    double mean = 0;
    for (std::size_t k = 0; k < corners; ++k) {
      const auto place = mesh.vertex(list[e + k]);
      for (std::size_t d = 0; d < place.size(); ++d) {
        x[k][d] = place[d] - mesh.vertex(list[e])[d];
      }
      mean += values[static_cast<std::size_t>(list[e + k])] / static_cast<double>(corners);
    }
    const double c[3] = {x[1][1] * x[2][2] - x[1][2] * x[2][1],
                         x[1][2] * x[2][0] - x[1][0] * x[2][2],
                         x[1][0] * x[2][1] - x[1][1] * x[2][0]};
    const double size = corners == 3 ? 0.5 * std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2])
                                     : std::hypot(x[1][0], x[1][1]);
    sum += size * mean;
  }
  return sum;
}

std::vector<double> mapped(const Mesh& from, const std::vector<double>& values, const Mesh& to) {
  const Interpolation found = make_intersection(from)->onto(to);
  std::vector<double> result(found.num_points());
  Rows(found.counts, found.columns, found.weights).apply(1, values, result);
  return result;
}

double slope(double x, double y) {
  return 1 + 2 * x - 3 * y;
}
double waves(double x, double y) {
  return std::sin(3 * x + y) + x * y;
}

double error(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

} // namespace

TEST_CASE("intersections keep integrals and linear functions between meshes of one plane or line") {
  const std::pair<Mesh, Mesh> pairs[] = {
      {quilt(9, 1), quilt(12, 2)}, {quilt(12, 2), quilt(5, 3)}, {quilt(2, 1), quilt(2, 1)},
      {block(4, 1), block(5, 2)},  {block(5, 2), block(3, 3)},  {block(2, 1), block(2, 1)},
      {tiles(9, 1), tiles(7, 2)},  {chain(9, 1), chain(14, 2)}, {chain(30, 1), chain(4, 2)}};
  for (const auto& [from, to] : pairs) {
    CHECK(error(mapped(from, sampled(from, slope), to), sampled(to, slope)) < 1e-12);
    const std::vector<double> values = sampled(from, waves);
    CHECK(integral(to, mapped(from, values, to)) ==
          doctest::Approx(integral(from, values)).epsilon(1e-13));
  }
}

TEST_CASE("intersections of curved meshes converge with second order and keep constants") {
  double last[2] = {1, 1};
  for (const int n : {8, 16, 32}) {
    const std::pair<Mesh, Mesh> pairs[] = {{quilt(n, 1, 0.3), quilt(n + 3, 2, 0.3)},
                                           {chain(n, 1, 0.3), chain(n + 3, 2, 0.3)}};
    for (std::size_t p = 0; p < 2; ++p) {
      const auto& [from, to] = pairs[p];
      const std::vector<double> ones(static_cast<std::size_t>(from.num_vertices()), 1.0);
      for (double value : mapped(from, ones, to)) {
        CHECK(value == doctest::Approx(1).epsilon(1e-13));
      }
      const double now = error(mapped(from, sampled(from, waves), to), sampled(to, waves));
      CHECK(now < (n == 8 ? 0.1 : last[p] / 2.6));
      last[p] = now;
    }
  }
}

TEST_CASE("intersections of volumes converge with second order and the transposed keep sums") {
  double last = 1;
  for (const int n : {3, 5, 9}) { // half the spacing of the one before
    const Mesh from = block(n, 1);
    const Mesh to = block(n + 1, 2);
    const Interpolation found = make_intersection(from)->onto(to);
    std::vector<double> result(found.num_points());
    Rows(found.counts, found.columns, found.weights).apply(1, sampled(from, waves), result);
    const double now = error(result, sampled(to, waves));
    CHECK(now < (n == 3 ? 0.5 : last / 2.6));
    last = now;
    std::size_t entry = 0;
    for (const LocalIndex count : found.counts) { // what a vertex gives
      double sum = 0;
      for (LocalIndex k = 0; k < count; ++k) {
        sum += found.weights[entry++];
      }
      CHECK(std::abs(sum - 1) < 1e-12);
    }
  }
}

TEST_CASE("no element matters that is farther away than an intersection says") {
  Mesh from("From", 2); // a line along the edge that asks, and another one beyond its end
  from.add_vertices(std::vector{-0.2, 0.01, 0.3, 0.01, 0.09, 0.19, 1.0, 0.19});
  from.add_edges(std::vector<LocalIndex>{0, 1, 2, 3});
  Mesh to("To", 2);
  to.add_vertices(std::vector{0.0, 0.0, 0.1, 0.0});
  to.add_edges(std::vector<LocalIndex>{0, 1});
  const Interpolation found = make_intersection(from)->onto(to);
  REQUIRE(found.counts[0] == 4); // the other one, too
  CHECK(std::sqrt(found.distances2[0]) >= std::hypot(0.09, 0.19));
}

TEST_CASE("where nothing is opposite, intersections are projections") {
  Mesh from = quilt(5, 1);
  Mesh to("To", 3);
  to.add_vertices(std::vector{5.0, 5.0, 5.0, 6.0, 5.0, 5.0, 5.0, 6.0, 5.0, 0.5, 0.5, 0.1});
  to.add_triangles(std::vector<LocalIndex>{0, 1, 2});
  const Interpolation found = make_intersection(from)->onto(to);
  const Interpolation projected = make_nearest_projection(from)->interpolate(to.coordinates());
  CHECK(found.columns == projected.columns);
  CHECK(found.weights == projected.weights);
}
