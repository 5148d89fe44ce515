// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// Mean difference of the density from the vortex that has travelled until `end`.
double vortex_error(const comm::Comm& comm, int n, double wave) {
  constexpr double mach = 0.5;
  constexpr double end = 2;
  const Grid grid = periodic_box(comm, n, wave);
  Physics physics;
  physics.flux = {Limiter::none, false, false};
  Solution solution(comm, grid, physics, mach, 1);
  const int steps = n;
  TimeTerms time(grid, {TimeKind::global, end / steps, 0, 0});
  Scheme scheme(comm, {1, 0}, solution, time);
  solution.set([](const Vector& point) { return vortex(point, mach, 0); });
  for (int step = 0; step < steps; ++step) {
    scheme.iterate();
  }
  double sum = 0;
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    const Block& block = grid.own[own];
    block.extent.for_each_row([&](std::size_t first, int j, int k) {
      for (int i = 0; i < block.extent.count(0); ++i) {
        const std::size_t at = first + static_cast<std::size_t>(i);
        const Primitive exact = vortex(block.center(i, j, k), mach, end);
        sum += block.volumes[at] *
               std::abs(solution.conserved()[solution.begin_of(own, 0) + at] - exact[0]);
      }
    });
  }
  return comm::allreduce(comm, sum, comm::Op::sum) / 144;
}

} // namespace

TEST_CASE("a vortex is carried along with second order, on straight and on wavy grids") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const double wave : {0.0, 0.03}) {
    const double coarse = vortex_error(comm, 32, wave);
    const double middle = vortex_error(comm, 64, wave);
    const double order = std::log2(coarse / middle);
    MESSAGE("wave ", wave, ": errors ", coarse, " ", middle, ", order ", order);
    CHECK(order >= 1.9);
  }
}

TEST_CASE("a uniform flow stays as it is on a wavy grid, to rounding") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int layers : {1, 6}) {
    Shape shape;
    shape.cells = {12, 8, layers};
    shape.blocks = {2, 2, 1};
    shape.wave = 0.05;
    std::vector<std::string> sides{"*:i-min", "*:i-max", "*:j-min", "*:j-max"};
    if (layers > 1) {
      sides.insert(sides.end(), {"*:k-min", "*:k-max"});
    }
    const Grid grid = make_grid(comm, make_shape(shape),
                                {{boundary("far", BoundaryKind::far_field, sides)}, {}, 1e-6});
    Physics physics;
    physics.gas.viscosity = 0.01;
    Solution solution(comm, grid, physics, 0.3, 1);
    solution.set_attitudes({{0.4, 0}});
    solution.set_undisturbed();
    TimeTerms time(grid, {});
    Scheme scheme(comm, {}, solution, time);
    for (int step = 0; step < 5; ++step) {
      scheme.iterate();
    }
    for (const double norm : scheme.measure().values) {
      CHECK(norm < 1e-12);
    }
  }
}

TEST_CASE(
    "a grid that is carried along is the same flow as one at rest in the wind that it feels") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Grid grid = cylinder(comm, {24, 10, 1}, {2, 1, 1}, 8);
  Physics physics;
  physics.gas.viscosity = 0.01;
  physics.flux.is_low_speed = false; // that knows of the velocity itself
  const TimeTerms time(grid, {});
  const auto pressures = [&](double mach, const Attitude& attitude) {
    Solution solution(comm, grid, physics, mach, 1);
    solution.set_attitudes({attitude});
    solution.set_undisturbed();
    Scheme scheme(comm, {1, 0.5}, solution, time);
    for (int step = 0; step < 5; ++step) {
      scheme.iterate();
    }
    solution.complete();
    std::vector<double> found;
    for (std::size_t own = 0; own < grid.own.size(); ++own) {
      const std::size_t stored = grid.own[own].extent.stored();
      const std::span<const double> pressure = solution.primitive(own, 0).subspan(4 * stored);
      found.insert(found.end(), pressure.begin(),
                   pressure.begin() + static_cast<std::ptrdiff_t>(stored));
    }
    return found;
  };
  const std::vector<double> at_rest = pressures(0.5, {std::atan2(0.3, 0.4), 0});
  const std::vector<double> carried = pressures(0.1, {0, 0, {-0.3, -0.3, 0}});
  REQUIRE(at_rest.size() == carried.size());
  for (std::size_t n = 0; n < at_rest.size(); ++n) {
    CHECK(carried[n] == doctest::Approx(at_rest[n]).epsilon(1e-10));
  }
}
