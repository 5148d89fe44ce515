// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "mapping/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus::mapping;
using isthmus::mesh::Mesh;

namespace {

using Point = std::array<double, 3>;

Point point(const Mesh& mesh, LocalIndex v) {
  Point p{};
  std::copy(mesh.vertex(v).begin(), mesh.vertex(v).end(), p.begin());
  return p;
}

Point combine(const Point& a, double s, const Point& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double distance2(const Point& a, const Point& b) {
  const Point d = combine(a, -1, b);
  return dot(d, d);
}

/// A wavy curve (2D) or sheet (3D) with `n` cells per direction.
Mesh wavy(int dimensions, int n, double height = 0.3) {
  Mesh mesh("Wavy", dimensions);
  for (int j = 0; j <= (dimensions == 3 ? n : 0); ++j) {
    for (int i = 0; i <= n; ++i) {
      const double x = static_cast<double>(i) / n;
      const double y = static_cast<double>(j) / n;
      const double z = height * std::sin(3 * x) * std::cos(2 * y);
      mesh.add_vertices(dimensions == 2 ? std::vector{x, z} : std::vector{x, y, z});
    }
  }
  for (int j = 0; j < (dimensions == 3 ? n : 1); ++j) {
    for (int i = 0; i < n; ++i) {
      const LocalIndex a = j * (n + 1) + i;
      if (dimensions == 2) {
        mesh.add_edges(std::vector<LocalIndex>{a, a + 1});
      } else {
        mesh.add_quads(std::vector<LocalIndex>{a, a + 1, a + n + 2, a + n + 1});
      }
    }
  }
  return mesh;
}

/// Points on the wavy surface itself.
std::vector<double> points_on_wavy(int dimensions, int count, unsigned seed) {
  std::vector<double> points;
  const auto xy = random_points(2, count, 0.05, 0.95, seed);
  for (std::size_t i = 0; i < xy.size(); i += 2) {
    if (dimensions == 2) {
      points.insert(points.end(), {xy[i], 0.3 * std::sin(3 * xy[i])});
    } else {
      points.insert(points.end(),
                    {xy[i], xy[i + 1], 0.3 * std::sin(3 * xy[i]) * std::cos(2 * xy[i + 1])});
    }
  }
  return points;
}

/// The smallest squared distance to any element by dense sampling of barycentric coordinates,
/// refined twice: an upper bound that is close.
double sampled_distance2(const Mesh& mesh, const Point& p) {
  double best = std::numeric_limits<double>::infinity();
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    best = std::min(best, distance2(p, point(mesh, v)));
  }
  const auto edges = mesh.edges();
  for (std::size_t e = 0; e < edges.size(); e += 2) {
    const Point a = point(mesh, edges[e]);
    const Point ab = combine(point(mesh, edges[e + 1]), -1, a);
    const double s = std::clamp(dot(combine(p, -1, a), ab) / dot(ab, ab), 0.0, 1.0);
    best = std::min(best, distance2(p, combine(a, s, ab)));
  }
  const auto triangles = mesh.triangles();
  constexpr int steps = 60;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const Point a = point(mesh, triangles[t]);
    const Point ab = combine(point(mesh, triangles[t + 1]), -1, a);
    const Point ac = combine(point(mesh, triangles[t + 2]), -1, a);
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const double u = static_cast<double>(i) / steps;
        const double v = static_cast<double>(j) / steps;
        best = std::min(best, distance2(p, combine(combine(a, u, ab), v, ac)));
      }
    }
  }
  return best;
}

/// Root mean square and largest error of mapping a smooth function to points on the surface.
double error_of(const Mapping& mapping, const Mesh& mesh, const std::vector<double>& points) {
  const auto f = [](const Point& p) { return std::sin(2 * p[0] + p[1]) + p[2] * p[2]; };
  const auto dim = static_cast<std::size_t>(mesh.dimensions());
  const Interpolation found = mapping.interpolate(points);
  std::vector<double> values(static_cast<std::size_t>(mesh.num_vertices()));
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    values[static_cast<std::size_t>(v)] = f(point(mesh, v));
  }
  std::vector<double> mapped(found.num_points());
  Rows(found.counts, found.columns, found.weights).apply(1, values, mapped);
  double sum = 0;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    Point p{};
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i * dim), dim, p.begin());
    sum += (mapped[i] - f(p)) * (mapped[i] - f(p));
  }
  return std::sqrt(sum / static_cast<double>(mapped.size()));
}

using Make = std::unique_ptr<Mapping> (*)(const Mesh&);

std::unique_ptr<Mapping> make_neighbor(const Mesh& mesh) {
  return make_nearest_neighbor(mesh);
}

std::unique_ptr<Mapping> make_closest(const Mesh& mesh) {
  return make_nearest_projection(mesh);
}

/// Observed order of convergence between two refinements.
double order_of(Make make, int dimensions, int n) {
  const auto points = points_on_wavy(dimensions, 2000, 4);
  const Mesh coarse = wavy(dimensions, n);
  const Mesh fine = wavy(dimensions, 4 * n);
  return std::log2(error_of(*make(coarse), coarse, points) / error_of(*make(fine), fine, points)) /
         2;
}

} // namespace

TEST_CASE("nearest neighbours are those of a search of all vertices, ties by coordinates") {
  for (const int dimensions : {2, 3}) {
    for (const bool ties : {false, true}) {
      Mesh mesh("M", dimensions);
      auto vertices = random_points(dimensions, 300, 0, 4, 1);
      auto points = random_points(dimensions, 500, -1, 5, 2);
      if (ties) { // distances between integers and halves
        for (auto* list : {&vertices, &points}) {
          std::transform(list->begin(), list->end(), list->begin(),
                         [](double x) { return std::round(2 * x) / 2; });
        }
      }
      mesh.add_vertices(vertices);
      const Interpolation found = make_nearest_neighbor(mesh)->interpolate(points);
      REQUIRE(found.num_points() == 500);
      const auto dim = static_cast<std::size_t>(dimensions);
      for (std::size_t i = 0; i < 500; ++i) {
        Point p{};
        std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i * dim), dim, p.begin());
        std::pair<double, Point> best{std::numeric_limits<double>::infinity(), {}};
        for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
          best = std::min(best, {distance2(p, point(mesh, v)), point(mesh, v)});
        }
        CHECK(found.counts[i] == 1);
        CHECK(found.weights[i] == 1);
        CHECK(found.distances2[i] == doctest::Approx(best.first).epsilon(1e-14));
        CHECK(point(mesh, found.columns[i]) == best.second);
      }
    }
  }
}

TEST_CASE("nearest projections are combinations of vertices at the closest place") {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = wavy(dimensions, dimensions == 2 ? 20 : 6);
    const auto points = random_points(dimensions, 60, -0.4, 1.4, 3);
    const Interpolation found = make_nearest_projection(mesh)->interpolate(points);
    const auto dim = static_cast<std::size_t>(dimensions);
    std::size_t k = 0;
    for (std::size_t i = 0; i < found.num_points(); ++i) {
      Point p{};
      std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i * dim), dim, p.begin());
      REQUIRE(found.counts[i] >= 1);
      REQUIRE(found.counts[i] <= dimensions);
      Point place{};
      double total = 0;
      for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
        CHECK(found.weights[k] > 0);
        total += found.weights[k];
        place = combine(place, found.weights[k], point(mesh, found.columns[k]));
        CHECK((n == 0 || point(mesh, found.columns[k - 1]) < point(mesh, found.columns[k])));
      }
      CHECK(total == doctest::Approx(1).epsilon(1e-14));
      CHECK(distance2(p, place) == doctest::Approx(found.distances2[i]).epsilon(1e-10));
      const double sampled = sampled_distance2(mesh, p);
      CHECK(found.distances2[i] <= sampled * (1 + 1e-12));
      CHECK(std::sqrt(found.distances2[i]) >= std::sqrt(sampled) - 0.01); // no closer than possible
    }
    CHECK(k == found.columns.size());
  }
}

TEST_CASE("without elements a projection is the nearest neighbour") {
  Mesh mesh("M", 3);
  mesh.add_vertices(random_points(3, 100, 0, 1, 5));
  const auto points = random_points(3, 100, 0, 1, 6);
  const Interpolation neighbours = make_nearest_neighbor(mesh)->interpolate(points);
  const Interpolation projections = make_nearest_projection(mesh)->interpolate(points);
  CHECK(neighbours.columns == projections.columns);
  CHECK(neighbours.distances2 == projections.distances2);
}

TEST_CASE("on an empty mesh nothing is found, far away") {
  const Mesh mesh("M", 2);
  for (const Make make : {Make(make_neighbor), Make(make_closest)}) {
    const Interpolation found = make(mesh)->interpolate(std::vector{0.0, 0.0, 1.0, 1.0});
    CHECK(found.counts == std::vector<LocalIndex>{0, 0});
    CHECK(found.columns.empty());
    CHECK(std::isinf(found.distances2[1]));
    CHECK(make(wavy(2, 3))->interpolate({}).num_points() == 0);
  }
}

TEST_CASE("nearest neighbours converge with first order, nearest projections with second") {
  for (const auto& [dimensions, n] :
       {std::pair(2, 16), std::pair(2, 64), std::pair(3, 8), std::pair(3, 16)}) {
    CAPTURE(dimensions);
    CAPTURE(n);
    CHECK(order_of(make_neighbor, dimensions, n) == doctest::Approx(1).epsilon(0.1));
    CHECK(order_of(make_closest, dimensions, n) == doctest::Approx(2).epsilon(0.1));
  }
}

TEST_CASE("transposed weights keep the sum of what they spread") {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = wavy(dimensions, 10);
    const auto points = random_points(dimensions, 1000, -0.2, 1.2, 8);
    for (const Make make : {Make(make_neighbor), Make(make_closest)}) {
      const Interpolation found = make(mesh)->interpolate(points);
      std::vector<Entry> entries;
      std::size_t k = 0;
      for (std::size_t i = 0; i < found.num_points(); ++i) {
        for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
          entries.push_back({found.columns[k], static_cast<LocalIndex>(i), found.weights[k]});
        }
      }
      const auto forces = random_points(1, 1000, 0, 1, 9);
      std::vector<double> spread(static_cast<std::size_t>(mesh.num_vertices()));
      Rows::from_entries(mesh.num_vertices(), entries).apply(1, forces, spread);
      const double before = std::accumulate(forces.begin(), forces.end(), 0.0);
      const double after = std::accumulate(spread.begin(), spread.end(), 0.0);
      CHECK(std::abs(after - before) <= 1e-13 * before);
    }
  }
}
