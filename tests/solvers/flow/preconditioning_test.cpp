// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/preconditioning.hpp"
#include "flows.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

using Change = std::array<double, num_conserved>;

/// What flows through an area of 1 with normal n between cells of two states.
Change flux_between(const Primitive& left, const Primitive& right, const Vector& n,
                    const FluxSettings& settings) {
  std::array<std::array<double, 4>, num_primitive> cells{};
  FaceRow row{};
  Change flux{};
  for (std::size_t v = 0; v < left.size(); ++v) {
    cells[v] = {left[v], left[v], right[v], right[v]};
  }
  for (std::size_t v = 0; v < num_primitive; ++v) {
    row.cells[v] = &cells[v][2];
  }
  constexpr double at_rest = 0;
  constexpr double area = 1;
  row.across = 1;
  row.area_x = &n[0];
  row.area_y = &n[1];
  row.area_z = &n[2];
  row.area = &area;
  row.turning = &at_rest;
  row.count = 1;
  for (std::size_t v = 0; v < num_conserved; ++v) {
    row.fluxes[v] = &flux[v];
  }
  set_inviscid(row, Gas{}, settings);
  return flux;
}

/// Pseudo steps until the residual of the density has fallen to a ten thousandth: the laminar flow
/// around a cylinder.
int iterations_at(const comm::Comm& comm, double mach, bool is_preconditioned) {
  const Grid grid = cylinder(comm, {32, 24, 1}, {2, 1, 1}, 20);
  Physics physics;
  physics.gas.viscosity = mach / 40;
  physics.flux.limiter = Limiter::none;
  physics.flux.preconditioning = is_preconditioned ? least_slowing(mach, 0) : 0;
  Solution solution(comm, grid, physics, mach, 1);
  solution.set_undisturbed();
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {3, 0.6}, solution, time);
  constexpr int most = 3000;
  double first = 0;
  for (int n = 0; n < most; ++n) {
    const double norm = scheme.iterate().values[4];
    first = std::max(first, norm);
    if (norm < 1e-5 * first) {
      return n;
    }
  }
  return most;
}

} // namespace

TEST_CASE("only the pressure at constant entropy and velocity is slowed down") {
  const Gas gas;
  const Primitive w{1.2, 0.1, -0.05, 0.02, 0.8};
  const auto u = conserved(gas, w);
  const Preconditioner preconditioner(gas, u.data(), 1, 1e-4);
  const double mach2 = (0.01 + 0.0025 + 0.0004) / (gas.gamma * w[4] / w[0]);
  CHECK(preconditioner.slowing() == doctest::Approx(mach2));
  const auto change_of = [&](const Primitive& to) {
    const auto there = conserved(gas, to);
    Change change{};
    std::transform(there.begin(), there.end(), u.begin(), change.begin(), std::minus<>());
    return change;
  };
  constexpr double small = 1e-6;
  const double sound2 = gas.gamma * w[4] / w[0];
  const Change sound = change_of({w[0] + small / sound2, w[1], w[2], w[3], w[4] + small});
  const Change others = change_of({w[0] + small, w[1] + 2 * small, w[2] - small, w[3], w[4]});
  Change both = sound;
  for (std::size_t v = 0; v < num_conserved; ++v) {
    both[v] += others[v];
  }
  preconditioner.apply(both.data(), 1);
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(std::abs(both[v] - others[v] - mach2 * sound[v]) < 1e-10);
  }
}

TEST_CASE(
    "where sound is not slowed down the fluxes are Roe's, of equal states those of the flow") {
  const Primitive left{1, 0.2, 0.1, -0.1, 0.7};
  const Primitive right{1.1, 0.15, 0.2, 0, 0.75};
  const Vector n{0.6, 0.64, 0.48};
  const Change roe = flux_between(left, right, n, {Limiter::none, true, false, 0});
  const Change same = flux_between(left, right, n, {Limiter::none, true, false, 1});
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(same[v] == doctest::Approx(roe[v]).epsilon(1e-12));
  }
  const Change slow = flux_between(left, left, n, {Limiter::none, true, false, 1e-3});
  const double mass = 0.2 * n[0] + 0.1 * n[1] - 0.1 * n[2];
  CHECK(slow[0] == doctest::Approx(mass));
  CHECK(slow[1] == doctest::Approx(0.2 * mass + 0.7 * n[0]));
  CHECK(slow[4] == doctest::Approx(mass * (3.5 * 0.7 + 0.5 * 0.06)));
}

TEST_CASE("slow sound is no faster than the flow, and as fast as it is where nothing is slowed") {
  CHECK(fastest(-0.3, 1, 1) == doctest::Approx(1.3));
  CHECK(fastest(0.05, 1, 0.0025) < 2 * 0.05);
  CHECK(fastest(0.05, 1, 0.0025) > 0.05);
  CHECK(least_slowing(0.1, 0) == doctest::Approx(0.01));
  CHECK(least_slowing(0.1, 0.5) == doctest::Approx(4 / (std::numbers::pi * std::numbers::pi)));
  CHECK(least_slowing(2, 0) == 1);
}

TEST_CASE("with slow sound a flow at low speed takes hardly more pseudo steps than a fast one" *
          on_ranks(1, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int fast = iterations_at(comm, 0.5, false);
  const int plain = iterations_at(comm, 0.05, false);
  const int slow = iterations_at(comm, 0.05, true);
  MESSAGE("steps at Mach 0.5: ", fast, ", at 0.05: ", plain, ", with slow sound: ", slow);
  CHECK(slow < 1.2 * fast);
  CHECK(slow < 0.9 * plain);
}
