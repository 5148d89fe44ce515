// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <complex>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// Block 2 with its axes renamed: new axis a runs along old axis[a], backwards where sign is -1.
GridSource renamed(const Index3& axis, const Index3& sign) {
  Shape shape;
  shape.cells = {8, 4, 4};
  shape.blocks = {2, 1, 1};
  shape.wave = 0.03;
  GridSource grid = make_shape(shape);
  Index3 cells{};
  for (std::size_t a = 0; a < 3; ++a) {
    cells[a] = grid.cells[1][static_cast<std::size_t>(axis[a])];
  }
  const Index3 old_cells = grid.cells[1];
  grid.cells[1] = cells;
  grid.load = [load = grid.load, axis, sign, cells, old_cells](int block) {
    const Nodes nodes = load(block);
    if (block == 0) {
      return nodes;
    }
    Nodes turned{cells, {}};
    Extent::for_each_in({0, 0, 0}, {cells[0] + 1, cells[1] + 1, cells[2] + 1},
                        [&](const Index3& n) {
                          Index3 old{};
                          for (std::size_t a = 0; a < 3; ++a) {
                            const auto to = static_cast<std::size_t>(axis[a]);
                            old[to] = sign[a] > 0 ? n[a] : old_cells[to] - n[a];
                          }
                          turned.points.push_back(nodes.points[nodes.at(old[0], old[1], old[2])]);
                        });
    return turned;
  };
  return grid;
}

/// The norms after some steps of a viscous flow in both blocks, between mirrors: behind the edges
/// of other boundaries the order of the axes counts.
Norms flow_in(const comm::Comm& comm, const GridSource& source) {
  const std::vector<std::string> sides{"*:i-min", "*:i-max", "*:j-min",
                                       "*:j-max", "*:k-min", "*:k-max"};
  const Grid grid =
      make_grid(comm, source, {{boundary("mirror", BoundaryKind::slip, sides)}, {}, 1e-6});
  Physics physics;
  physics.gas.viscosity = 0.01;
  Solution solution(comm, grid, physics, 0.3, 1);
  solution.set(waves);
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {1, 0}, solution, time);
  for (int n = 0; n < 3; ++n) {
    scheme.iterate();
  }
  return scheme.measure();
}

} // namespace

TEST_CASE("a neighbour in any orientation is the same flow to rounding") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Norms expected = flow_in(comm, renamed({0, 1, 2}, {1, 1, 1}));
  int turned = 0;
  for (const Index3& axis : {Index3{0, 1, 2}, Index3{1, 2, 0}, Index3{2, 0, 1}, Index3{1, 0, 2},
                             Index3{0, 2, 1}, Index3{2, 1, 0}}) {
    const bool is_even = (axis[0] + 1) % 3 == axis[1];
    for (int bits = 0; bits < 8; ++bits) {
      const Index3 sign{(bits & 1) != 0 ? -1 : 1, (bits & 2) != 0 ? -1 : 1,
                        (bits & 4) != 0 ? -1 : 1};
      if ((sign[0] * sign[1] * sign[2] > 0) != is_even) {
        continue; // left-handed
      }
      const Norms found = flow_in(comm, renamed(axis, sign));
      for (std::size_t v = 0; v < num_conserved; ++v) {
        CHECK(found.values[v] == doctest::Approx(expected.values[v]).epsilon(1e-11));
      }
      ++turned;
    }
  }
  CHECK(turned == 24);
}

TEST_CASE("blocks of unequal lengths have the nodes of equal ones") {
  Shape shape;
  shape.kind = "naca";
  shape.cells = {24, 12, 1};
  const Nodes all = make_shape(shape).load(0);
  shape.lengths = {std::vector<int>{14, 4, 6}, {2, 10}, {}};
  const GridSource cut = make_shape(shape);
  CHECK(cut.cells ==
        std::vector<Index3>{{14, 2, 1}, {4, 2, 1}, {6, 2, 1}, {14, 10, 1}, {4, 10, 1}, {6, 10, 1}});
  const Nodes last = cut.load(5);
  for (int j = 0; j <= 10; ++j) {
    for (int i = 0; i <= 6; ++i) {
      CHECK(last.points[last.at(i, j, 0)] == all.points[all.at(18 + i, 2 + j, 0)]);
    }
  }
}

TEST_CASE("cells over a plate grow from its leading edge and outwards by constant factors") {
  Shape shape;
  shape.kind = "plate";
  shape.lengths = {{{4, 6, 6}, {8}, {1}}};
  shape.size = {2, 1, 1};
  shape.first = 0.01;
  shape.edge = 0.02;
  const GridSource grid = make_shape(shape);
  std::vector<double> x;
  for (int block = 0; block < 3; ++block) {
    const Nodes nodes = grid.load(block);
    for (int i = block == 0 ? 0 : 1; i <= nodes.cells[0]; ++i) {
      x.push_back(nodes.points[nodes.at(i, 0, 0)][0]);
    }
  }
  CHECK(x.size() == 17);
  CHECK(x.front() == doctest::Approx(-1.0 / 3));
  CHECK(x[4] == 0);
  CHECK(x[4] - x[3] == doctest::Approx(0.02));
  CHECK(x[5] == doctest::Approx(0.02));
  CHECK(x.back() == doctest::Approx(2));
  for (std::size_t i = 5; i + 2 < x.size(); ++i) {
    CHECK((x[i + 2] - x[i + 1]) / (x[i + 1] - x[i]) == doctest::Approx((x[6] - x[5]) / x[5]));
  }
  const Nodes nodes = grid.load(2);
  CHECK(nodes.points[nodes.at(3, 1, 0)][1] == doctest::Approx(0.01));
  CHECK(nodes.points[nodes.at(3, 8, 1)][1] == doctest::Approx(1));
  shape.lengths[0] = {16};
  CHECK(message_of([&] { static_cast<void>(make_shape(shape)); }) ==
        "a plate needs 2 blocks along i at least: the first one is ahead of it");
  shape.lengths[0] = {4, 200};
  CHECK(message_of([&] { static_cast<void>(make_shape(shape)); }).find("would take 4 of 2") !=
        std::string::npos);
}

TEST_CASE("snapshots give the exact derivative of all harmonics that they resolve") {
  for (const int harmonics : {1, 4, 8}) {
    const int n = 2 * harmonics + 1;
    const std::vector<double> matrix = spectral_derivative(n);
    for (int k = 0; k <= harmonics; ++k) {
      for (int row = 0; row < n; ++row) {
        double sum = 0;
        for (int column = 0; column < n; ++column) {
          sum += matrix[static_cast<std::size_t>(row * n + column)] *
                 std::sin(2 * std::numbers::pi * k * column / n);
        }
        CHECK(sum == doctest::Approx(k * std::cos(2 * std::numbers::pi * k * row / n)));
      }
    }
  }
}

namespace {

using Wave = std::complex<double>;

/// By how much a step of five stages lets a wave grow: third-order upwind differences in a flow
/// with a CFL number and implicit smoothing of 0.6 or none; `angle` from cell to cell, and from
/// snapshot to snapshot with or against the derivative in time, whose angle per pseudo step is z.
double growth(double z, double angle, bool against, double cfl, double smoothing) {
  constexpr std::size_t n = 3;
  const Grid none{Blocks{Topology({}, {}, {}, 1), {}, {}, {}}, {}, {}, {}, {}, 0, {}};
  const TimeTerms time(none, {TimeKind::harmonic, 0, 1, z});
  const std::vector<double> matrix = spectral_derivative(n);
  const Wave next = std::polar(1.0, angle);
  const Wave convection = cfl * (2.0 * next + 3.0 - 6.0 / next + 1.0 / (next * next)) / 6.0;
  const double smoothed = 1 / (1 + 2 * smoothing * (1 - std::cos(angle)));
  std::array<Wave, n> start;
  for (std::size_t s = 0; s < n; ++s) {
    start[s] = std::polar(1.0, (against ? -2 : 2) * std::numbers::pi * static_cast<double>(s) / n);
  }
  std::array<Wave, n> now = start;
  const std::array<double, 2> steps{1, 1}; // of real and imaginary part
  for (const double coefficient : {0.0695, 0.1602, 0.2898, 0.5060, 1.0}) {
    std::array<double, 2 * n> earlier{};
    std::array<double, 2 * n> changes{};
    for (std::size_t s = 0; s < n; ++s) {
      Wave rate = convection * now[s];
      for (std::size_t t = 0; t < n; ++t) {
        rate += z * matrix[s * n + t] * now[t];
      }
      const Wave change = -coefficient * smoothed * rate;
      const Wave old = now[s] - start[s];
      changes[2 * s] = change.real();
      changes[2 * s + 1] = change.imag();
      earlier[2 * s] = old.real();
      earlier[2 * s + 1] = old.imag();
    }
    time.advance(coefficient, steps.data(), 2, earlier.data(), changes.data(), 2);
    for (std::size_t s = 0; s < n; ++s) {
      now[s] = start[s] + Wave(changes[2 * s], changes[2 * s + 1]);
    }
  }
  return std::abs(now[0]);
}

} // namespace

TEST_CASE("no wave grows in a pseudo step of harmonic balance, however high its frequency") {
  for (const auto& [cfl, smoothing] : {std::array{2.0, 0.0}, std::array{3.0, 0.6}}) {
    for (const double z : {0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 6.0, 15.0, 100.0, 1e6}) {
      for (int part = 1; part <= 40; ++part) {
        const double angle = std::numbers::pi * part / 40;
        for (const bool against : {false, true}) {
          INFO("z ", z, ", angle ", angle, ", against ", against);
          CHECK(growth(z, angle, against, cfl, smoothing) < 1.001);
        }
      }
    }
  }
  CHECK(growth(100, 0.1, true, 2, 0) < 0.1); // what is stiff is solved for
}
