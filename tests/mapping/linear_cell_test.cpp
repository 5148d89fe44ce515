// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "mapping/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus::mapping;
using isthmus::mesh::Mesh;

namespace {

/// The unit square or cube of n cells per direction, distorted inside, as triangles or six
/// tetrahedra per cell; vertices numbered by `order` (a permutation).
Mesh block(int dimensions, int n, const std::vector<LocalIndex>& order = {}) {
  const int m = n + 1;
  const int layers = dimensions == 3 ? m : 1;
  const auto dim = static_cast<std::size_t>(dimensions);
  std::vector<double> coordinates(static_cast<std::size_t>(m * m * layers) * dim);
  const auto id = [&](int i, int j, int k) {
    const auto natural = static_cast<std::size_t>((k * m + j) * m + i);
    return order.empty() ? static_cast<LocalIndex>(natural) : order[natural];
  };
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> shift(-0.2 / n, 0.2 / n);
  const auto place = [&](int i) {
    return i == 0 || i == n ? static_cast<double>(i) / n
                            : static_cast<double>(i) / n + shift(engine);
  };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) {
        const std::array<double, 3> x{place(i), place(j), place(k)};
        std::copy_n(x.begin(), dim, &coordinates[static_cast<std::size_t>(id(i, j, k)) * dim]);
      }
    }
  }
  Mesh mesh("Block", dimensions);
  mesh.add_vertices(coordinates);
  for (int k = 0; k < std::max(layers - 1, 1); ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (dimensions == 2) {
          mesh.add_triangles(std::vector{id(i, j, 0), id(i + 1, j, 0), id(i + 1, j + 1, 0),
                                         id(i, j, 0), id(i + 1, j + 1, 0), id(i, j + 1, 0)});
          continue;
        }
        std::array<int, 3> axes{0, 1, 2};
        do { // along the edges from one corner of the cell to the opposite one
          std::array<int, 3> at{i, j, k};
          std::vector<LocalIndex> corners{id(i, j, k)};
          for (int axis : axes) {
            ++at[static_cast<std::size_t>(axis)];
            corners.push_back(id(at[0], at[1], at[2]));
          }
          mesh.add_tetrahedra(corners);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return mesh;
}

std::vector<double> values_of(int dimensions, std::span<const double> points,
                              double (*f)(const std::array<double, 3>&)) {
  std::vector<double> values;
  const auto dim = static_cast<std::size_t>(dimensions);
  for (std::size_t i = 0; i < points.size(); i += dim) {
    std::array<double, 3> x{};
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i), dim, x.begin());
    values.push_back(f(x));
  }
  return values;
}

double linear(const std::array<double, 3>& x) {
  return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2];
}

std::vector<double> mapped(const Mesh& mesh, const std::vector<double>& points,
                           double (*f)(const std::array<double, 3>&),
                           Outside outside = Outside::closest) {
  const Interpolation found = make_linear_cell(mesh, outside)->interpolate(points);
  std::vector<double> result(found.num_points());
  Rows(found.counts, found.columns, found.weights)
      .apply(1, values_of(mesh.dimensions(), mesh.coordinates(), f), result);
  return result;
}

} // namespace

TEST_CASE("cells reproduce linear functions inside, with weights of the cell around the point") {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = block(dimensions, 6);
    const auto points = random_points(dimensions, 2000, 0, 1, 1);
    const Interpolation found = make_linear_cell(mesh)->interpolate(points);
    const auto values = mapped(mesh, points, linear);
    const auto exact = values_of(dimensions, points, linear);
    std::size_t k = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == doctest::Approx(exact[i]).epsilon(1e-13));
      CHECK(found.counts[i] == dimensions + 1);
      CHECK(found.distances2[i] == 0);
      for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
        CHECK(found.weights[k] >= -1e-10);
        CHECK(found.weights[k] <= 1 + 1e-10);
      }
    }
  }
}

TEST_CASE("vertices of cells get their own values, also outside of meshes closest points") {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = block(dimensions, 4);
    const std::vector<double> at(mesh.coordinates().begin(), mesh.coordinates().end());
    const auto f = [](const std::array<double, 3>& x) { return x[0] * x[1] + x[2] * x[0]; };
    const auto values = mapped(mesh, at, f);
    const auto exact = values_of(dimensions, at, f);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == doctest::Approx(exact[i]).epsilon(1e-12));
    }
    // outside of the unit cube the closest point has clamped coordinates
    const auto points = random_points(dimensions, 500, -1, 2, 2);
    auto clamped = points;
    std::transform(points.begin(), points.end(), clamped.begin(),
                   [](double x) { return std::clamp(x, 0.0, 1.0); });
    const auto outside = mapped(mesh, points, linear);
    const auto expected = values_of(dimensions, clamped, linear);
    for (std::size_t i = 0; i < outside.size(); ++i) {
      CHECK(outside[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("cells give the same bits however vertices are numbered") {
  for (const int dimensions : {2, 3}) {
    const int n = 4;
    std::vector<LocalIndex> order(static_cast<std::size_t>(dimensions == 2 ? 25 : 125));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    auto points = random_points(dimensions, 300, -0.2, 1.2, 4);
    const auto grid = random_points(dimensions, 300, 0, 1, 5);
    std::transform(grid.begin(), grid.end(), std::back_inserter(points),
                   [](double x) { return std::round(n * x) / n; }); // on faces and edges, too
    const auto f = [](const std::array<double, 3>& x) { return x[0] / (1 + x[1]) + x[2]; };
    for (const Outside outside : {Outside::closest, Outside::candidates}) {
      CHECK(mapped(block(dimensions, n), points, f, outside) ==
            mapped(block(dimensions, n, order), points, f, outside));
    }
  }
}

namespace {

/// A grid of the unit square or cube, each vertex moved by `warp` times the sine of its number,
/// with the triangles or tetrahedra of block().
Mesh recorded_grid(int dimensions, std::array<int, 3> counts, double warp) {
  Mesh mesh("Grid", dimensions);
  int number = 0;
  for (int k = 0; k < counts[2]; ++k) {
    for (int j = 0; j < counts[1]; ++j) {
      for (int i = 0; i < counts[0]; ++i, ++number) {
        const std::array<int, 3> at{i, j, k};
        std::vector<double> place;
        for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
          place.push_back(double(at[d]) / (counts[d] - 1) +
                          warp * std::sin(13.0 * number + 5.0 * double(d) + 1.0));
        }
        mesh.add_vertices(place);
      }
    }
  }
  const auto id = [&](const std::array<int, 3>& at) {
    return static_cast<LocalIndex>((at[2] * counts[1] + at[1]) * counts[0] + at[0]);
  };
  for (int k = 0; k < std::max(counts[2] - 1, 1); ++k) {
    for (int j = 0; j + 1 < counts[1]; ++j) {
      for (int i = 0; i + 1 < counts[0]; ++i) {
        if (dimensions == 2) {
          mesh.add_triangles(std::vector{id({i, j, 0}), id({i + 1, j, 0}), id({i + 1, j + 1, 0}),
                                         id({i, j, 0}), id({i + 1, j + 1, 0}), id({i, j + 1, 0})});
          continue;
        }
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          std::vector<LocalIndex> corners{id(at)};
          for (const int axis : axes) {
            ++at[static_cast<std::size_t>(axis)];
            corners.push_back(id(at));
          }
          mesh.add_tetrahedra(corners);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return mesh;
}

double recorded_field(const std::array<double, 3>& x) {
  return std::sin(2 * x[0]) + x[0] * x[1] + 0.5 * x[2] + 1;
}

} // namespace

TEST_CASE("points outside of all cells take what preCICE 3.4.1 finds there") {
  const Mesh cube = recorded_grid(3, {3, 3, 3}, 0.02);
  const std::vector<double> around{0.3,  0.4, 1.2,  -0.25, 0.6,  0.35, 1.1,  0.45,
                                   1.15, 1.2, -0.2, 0.3,   1.3,  1.2,  1.4,  -3.0,
                                   0.7,  0.6, 0.45, 0.3,   0.62, 0.5,  0.52, -0.04};
  const std::vector<double> in_cube{2.5168679403576077, 1.1975181151191603, 2.8704122585281406,
                                    2.0504262780996809, 3.3855923677094149, 1.327965228483736,
                                    2.2199726028578723, 2.0966173917975253};
  const Mesh other = recorded_grid(3, {3, 3, 3}, 0.03);
  const Mesh square = recorded_grid(2, {4, 3, 1}, 0.02);
  const std::vector<double> beside{0.4, 1.3,  -0.2, 0.45, 1.3, 1.4, 1.25,
                                   0.2, 0.52, -0.6, 0.3,  0.3, 8.0, 0.4};
  const std::vector<double> in_square{2.0660208427476698, 1.0216698915022477, 2.8881730279687274,
                                      2.0873555288549595, 1.8045996864916432, 1.6551672797400343,
                                      1.9137640429000413};
  for (const Outside outside : {Outside::candidates, Outside::numbered_candidates}) {
    const auto values = mapped(cube, around, recorded_field, outside);
    for (std::size_t i = 0; i < in_cube.size(); ++i) {
      CHECK(values[i] == doctest::Approx(in_cube[i]).epsilon(1e-13));
    }
    const auto more = mapped(other, {1.2, 0.4, 0.5, 0.5, -0.2, 0.3}, recorded_field, outside);
    CHECK(more[0] == doctest::Approx(2.5528688981154004).epsilon(1e-13));
    CHECK(more[1] == doctest::Approx(1.9857337571414619).epsilon(1e-13));
    const auto flat = mapped(square, beside, recorded_field, outside);
    for (std::size_t i = 0; i < in_square.size(); ++i) {
      CHECK(flat[i] == doctest::Approx(in_square[i]).epsilon(1e-13));
    }
  }
}

TEST_CASE("a projection onto candidates goes where preCICE 3.4.1 takes points outside of cells") {
  // recorded with linear cells, on which points outside are projected
  const Mesh cube = recorded_grid(3, {3, 3, 3}, 0.02);
  const Mesh square = recorded_grid(2, {4, 3, 1}, 0.02);
  const std::vector<double> around{0.3, 0.4, 1.2, -0.25, 0.6,  0.35, 1.1, 0.45, 1.15, 1.2,  -0.2,
                                   0.3, 1.3, 1.2, 1.4,   -3.0, 0.7,  0.6, 0.5,  0.52, -0.04};
  const std::vector<double> at_cube{2.5168679403576077, 1.1975181151191603, 2.8704122585281406,
                                    2.0504262780996809, 3.3855923677094149, 1.327965228483736,
                                    2.0966173917975253};
  const std::vector<double> beside{0.4, 1.3, -0.2, 0.45, 1.3, 1.4, 1.25, 0.2, 0.52, -0.6, 8.0, 0.4};
  const std::vector<double> at_square{2.0660208427476698, 1.0216698915022477, 2.8881730279687274,
                                      2.0873555288549595, 1.8045996864916432, 1.9137640429000413};
  const auto projected = [](const Mesh& mesh, const std::vector<double>& points, Outside search) {
    const std::vector<double> places(mesh.coordinates().begin(), mesh.coordinates().end());
    const auto found = make_nearest_projection(mesh, search)->interpolate(points);
    std::vector<double> result(found.num_points());
    Rows(found.counts, found.columns, found.weights)
        .apply(1, values_of(mesh.dimensions(), places, recorded_field), result);
    return result;
  };
  for (const Outside search : {Outside::candidates, Outside::numbered_candidates}) {
    const std::vector<double> values = projected(cube, around, search);
    for (std::size_t i = 0; i < at_cube.size(); ++i) {
      CHECK(values[i] == doctest::Approx(at_cube[i]).epsilon(1e-13));
    }
    const std::vector<double> flat = projected(square, beside, search);
    for (std::size_t i = 0; i < at_square.size(); ++i) {
      CHECK(flat[i] == doctest::Approx(at_square[i]).epsilon(1e-13));
    }
  }
}

TEST_CASE("where boxes are equally near, numbered candidates are those of preCICE 3.4.1") {
  // recorded: what 27 vertices add to the 8 corners of six tetrahedra, most of them from outside
  const Mesh from = recorded_grid(3, {3, 3, 3}, 0.03);
  Mesh to("Cell", 3);
  const std::array<double, 3> low{0.1, 0.05, 0.1};
  const std::array<double, 3> high{0.9, 0.95, 0.8};
  for (int number = 0; number < 8; ++number) {
    std::vector<double> place;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool upper = (number >> d & 1) != 0;
      place.push_back((upper ? high[d] : low[d]) +
                      0.02 * std::sin(13.0 * number + 5.0 * double(d) + 1.0));
    }
    to.add_vertices(place);
  }
  to.add_tetrahedra(std::vector<LocalIndex>{0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7,
                                            0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7});
  const std::vector<double> recorded{6.7824151236036769, 6.2067474039624031, 5.3076114724084542,
                                     6.7302180497448285, 4.5931363490713446, 8.4434849510296672,
                                     4.8594543553655161, 13.328095737095012};
  const std::vector<double> points(from.coordinates().begin(), from.coordinates().end());
  const std::vector<double> values = values_of(3, points, recorded_field);
  const Interpolation found =
      make_linear_cell(to, Outside::numbered_candidates)->interpolate(points);
  std::vector<double> sums(8, 0.0);
  std::size_t entry = 0;
  for (std::size_t i = 0; i < found.num_points(); ++i) {
    for (LocalIndex k = 0; k < found.counts[i]; ++k, ++entry) {
      sums[static_cast<std::size_t>(found.columns[entry])] += found.weights[entry] * values[i];
    }
  }
  for (std::size_t v = 0; v < 8; ++v) {
    CHECK(sums[v] == doctest::Approx(recorded[v]).epsilon(1e-13));
  }
}

TEST_CASE("candidates outside of cells need what lies as near as the nearest vertex") {
  const Mesh mesh = block(3, 3);
  const auto points = random_points(3, 300, -1, 2, 6);
  const Interpolation found = make_linear_cell(mesh, Outside::candidates)->interpolate(points);
  std::size_t entry = 0;
  for (std::size_t i = 0; i < found.num_points(); ++i) {
    double nearest2 = 1e9;
    for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
      const auto x = mesh.vertex(v);
      nearest2 = std::min(nearest2, std::pow(x[0] - points[3 * i], 2) +
                                        std::pow(x[1] - points[3 * i + 1], 2) +
                                        std::pow(x[2] - points[3 * i + 2], 2));
    }
    const auto size = static_cast<std::size_t>(found.counts[i]);
    double sum = 0;
    for (std::size_t k = 0; k < size; ++k, ++entry) {
      CHECK(found.weights[entry] >= 0);
      sum += found.weights[entry];
    }
    CHECK(sum == doctest::Approx(1));
    CHECK(found.distances2[i] <= nearest2 * (1 + 1e-12)); // never worse than that vertex
    CHECK(found.needed2[i] >= (size == 2 ? nearest2 * (1 - 1e-12) : found.distances2[i]));
  }
}

TEST_CASE("without cells linear cell interpolation is a projection") {
  Mesh mesh("Tri", 3);
  mesh.add_vertices(std::vector{0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0});
  mesh.add_triangles(std::vector<LocalIndex>{0, 1, 2});
  const Interpolation found =
      make_linear_cell(mesh)->interpolate(std::vector{0.25, 0.25, 2.0, -1.0, 0.5, 0.0});
  CHECK(found.counts == std::vector<LocalIndex>{3, 2});
  CHECK(found.distances2 == std::vector<double>{4.0, 1.0});
  const Interpolation none =
      make_linear_cell(Mesh("Empty", 3))->interpolate(std::vector{0., 0., 0.});
  CHECK(none.counts == std::vector<LocalIndex>{0});
}

TEST_CASE("faces of tetrahedra take part in projections") {
  Mesh mesh("Tet", 3);
  mesh.add_vertices(std::vector{0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.});
  mesh.add_tetrahedra(std::vector<LocalIndex>{0, 1, 2, 3});
  const Interpolation found =
      make_nearest_projection(mesh)->interpolate(std::vector{0.25, 0.25, -1.0});
  CHECK(found.counts == std::vector<LocalIndex>{3});
  CHECK(found.distances2[0] == doctest::Approx(1.0));
}
