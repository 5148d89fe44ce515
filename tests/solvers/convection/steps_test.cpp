// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/steps.hpp"
#include "boxes.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// u = g (x, -y, 0), T = h (1 + x + 2z), p = 0, which elements of linear functions hold without
/// error, so that what is left is the error in time.
struct Swing {
  double t;
  [[nodiscard]] double g() const { return 1 + 0.5 * std::sin(3 * t); }
  [[nodiscard]] double h() const { return std::cos(2 * t); }
  [[nodiscard]] double dg() const { return 1.5 * std::cos(3 * t); }
  [[nodiscard]] double dh() const { return -2 * std::sin(2 * t); }
};

struct Fields {
  std::vector<double> values, temperature, force, source;
};

Fields fields_at(const Mesh& mesh, const Swing& now, double buoyancy) {
  Fields result;
  for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
    const auto [x, y, z] = place(mesh, n);
    const double shape = 1 + x + 2 * z;
    const double square = now.g() * now.g();
    result.values.insert(result.values.end(), {now.g() * x, -now.g() * y, 0, 0});
    result.temperature.push_back(now.h() * shape);
    result.force.insert(result.force.end(), {now.dg() * x + square * x, -now.dg() * y + square * y,
                                             -buoyancy * now.h() * shape});
    result.source.push_back(now.dh() * shape + now.g() * x * now.h());
  }
  return result;
}

/// Errors of velocity and temperature at the time 0.5, after equal steps or such that are by turns
/// `uneven` times as long as the one before, and as much shorter.
std::array<double, 2> errors(const comm::Comm& comm, int order, int steps, double uneven = 1) {
  constexpr int cells = 4;
  constexpr double end = 0.5;
  const Mesh mesh = cube(comm, cells);
  const Edges edges = make_edges(mesh);
  Flow flow(comm, mesh, edges, exchange::SumStrategy::one_round);
  Heat heat(comm, mesh, edges, exchange::SumStrategy::one_round);
  const std::vector<char> held = at_boundary(mesh, 4, 1);
  const std::vector<char> hot = at_boundary(mesh, 1, 0);
  flow.set_fixed(held, false);
  heat.set_fixed(hot);
  const double least = 2 * end / steps / (1 + uneven);
  Steps walk(flow, heat, order, least);
  StepTerms terms{0.1, 0.1, {0, 0, 5}};
  terms.heat_tolerance = 1e-9;
  NewtonSettings newton{1e-9, 1e-13, 20, 0.1};
  Fields state = fields_at(mesh, {0}, 5);
  double time = 0;
  for (int k = 0; k < steps; ++k) {
    const double step = least * (k % 2 == 0 ? 1 : uneven);
    time += step;
    const Fields exact = fields_at(mesh, {time}, 5);
    walk.begin(state.values, state.temperature, step);
    for (std::size_t n = 0; n < held.size(); ++n) {
      state.values[n] = held[n] != 0 ? exact.values[n] : state.values[n];
    }
    for (std::size_t n = 0; n < hot.size(); ++n) {
      state.temperature[n] = hot[n] != 0 ? exact.temperature[n] : state.temperature[n];
    }
    terms.force = exact.force;
    terms.source = exact.source;
    walk.solve(terms, newton, state.values, state.temperature);
  }
  const Fields exact = fields_at(mesh, {end}, 5);
  for (std::size_t n = 0; n < held.size(); ++n) {
    state.values[n] = n % 4 == 3 ? 0 : state.values[n] - exact.values[n];
  }
  for (std::size_t n = 0; n < hot.size(); ++n) {
    state.temperature[n] -= exact.temperature[n];
  }
  return {size(comm, mesh, cells, 4, state.values), size(comm, mesh, cells, 1, state.temperature)};
}

} // namespace

TEST_CASE("errors in time fall with the order of the differences, flow and heat together") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int order : {1, 2}) {
    const auto coarse = errors(comm, order, 16);
    const auto fine = errors(comm, order, 32);
    for (std::size_t f = 0; f < 2; ++f) {
      const double observed = std::log2(coarse[f] / fine[f]);
      INFO("order ", order, f == 0 ? " velocity " : " temperature ", observed, " error ", fine[f]);
      CHECK(observed > order - 0.1);
      CHECK(observed < order + 0.3);
    }
  }
}

TEST_CASE("uneven steps keep the order of the differences") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int order : {1, 2}) {
    const auto coarse = errors(comm, order, 16, 2);
    const auto fine = errors(comm, order, 32, 2);
    for (std::size_t f = 0; f < 2; ++f) {
      const double observed = std::log2(coarse[f] / fine[f]);
      INFO("order ", order, f == 0 ? " velocity " : " temperature ", observed, " error ", fine[f]);
      CHECK(observed > order - 0.15);
      CHECK(observed < order + 0.3);
    }
  }
}

TEST_CASE("differences over uneven steps are exact for parabolas" * on_ranks(1, 1)) {
  const auto parabola = [](double t) { return 3 - 2 * t + 5 * t * t; };
  Differences of(2, 0.5);
  of.begin(std::vector<double>{parabola(0)}, 0.5);
  of.begin(std::vector<double>{parabola(0.5)}, 0.2);
  for (const double step : {0.2, 0.05, 1.5}) { // the same step, again with other lengths
    of.repeat(step);
    const double found = of.derivative().now * parabola(0.5 + step) + of.derivative().before[0];
    CHECK(found == doctest::Approx(-2 + 10 * (0.5 + step)).epsilon(1e-12));
    CHECK(of.extrapolated(0) ==
          doctest::Approx(parabola(0.5) + (parabola(0.5) - parabola(0)) * step / 0.5));
  }
}

TEST_CASE("steps of the third order are refused" * on_ranks(1, 1)) {
  CHECK(message_of([] { Differences(3, 0.1); }).find("order 1 or 2, not 3") != std::string::npos);
}

TEST_CASE("differences that are resumed go on as they were" * on_ranks(1, 1)) {
  Differences one(2, 0.5);
  one.begin(std::vector<double>{1});
  CHECK(one.derivative().now == 2);
  one.begin(std::vector<double>{3});
  Differences other(2, 0.5);
  other.resume({one.last().begin(), one.last().end()}, 0.5);
  for (Differences* of : {&one, &other}) {
    of->begin(std::vector<double>{4});
    CHECK(of->derivative().now == 3);
    CHECK(of->derivative().before[0] == (0.5 * 3 - 2 * 4) / 0.5);
    CHECK(of->extrapolated(0) == 5);
  }
}
