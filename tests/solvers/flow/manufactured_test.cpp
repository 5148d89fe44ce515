// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

constexpr double pi = std::numbers::pi;

Primitive exact(const Vector& at) {
  const double x = pi * at[0];
  const double y = pi * at[1];
  return {1 + 0.1 * std::sin(0.8 * x + 0.6 * y + 0.3), 0.4 + 0.1 * std::sin(0.5 * x - 0.9 * y),
          0.3 + 0.1 * std::cos(0.7 * x + 0.4 * y), 0,
          1 / 1.4 + 0.07 * std::cos(0.6 * x - 0.5 * y + 0.2)};
}

/// Of a function of x and y along one of them, of fourth order.
template <typename Function>
auto derivative(const Function& function, const Vector& at, std::size_t axis) {
  constexpr double h = 2e-3;
  const auto value = [&](double shift) {
    Vector moved = at;
    moved[axis] += shift;
    return function(moved);
  };
  auto result = value(h);
  const auto low = value(-h);
  const auto far = value(2 * h);
  const auto near = value(-2 * h);
  for (std::size_t v = 0; v < result.size(); ++v) {
    result[v] = (8 * (result[v] - low[v]) - (far[v] - near[v])) / (12 * h);
  }
  return result;
}

/// The flux of the Navier-Stokes equations along an axis, from the exact values: textbook form,
/// nothing of the solver.
std::array<double, num_conserved> flux(const Gas& gas, const Vector& at, std::size_t axis) {
  const auto state = [&gas](const Vector& point) { // u, v, T
    const Primitive w = exact(point);
    return std::array{w[1], w[2], gas.gamma * w[4] / w[0]};
  };
  const Primitive w = exact(at);
  const auto dx = derivative(state, at, 0);
  const auto dy = derivative(state, at, 1);
  const double spread = (dx[0] + dy[1]) * 2 / 3;
  const double xx = gas.viscosity * (2 * dx[0] - spread);
  const double yy = gas.viscosity * (2 * dy[1] - spread);
  const double xy = gas.viscosity * (dy[0] + dx[1]);
  const double heat = gas.viscosity / (gas.prandtl * (gas.gamma - 1)) * (axis == 0 ? dx[2] : dy[2]);
  const double energy = w[4] / (gas.gamma - 1) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2]);
  const double mass = w[0] * w[axis + 1];
  const double tx = axis == 0 ? xx : xy;
  const double ty = axis == 0 ? xy : yy;
  return {mass, mass * w[1] + (axis == 0 ? w[4] : 0) - tx,
          mass * w[2] + (axis == 1 ? w[4] : 0) - ty, 0,
          (energy + w[4]) * w[axis + 1] - w[1] * tx - w[2] * ty - heat};
}

/// What must be added to the equations, so that the exact values solve them.
std::array<double, num_conserved> source(const Gas& gas, const Vector& at) {
  auto sum = derivative([&](const Vector& p) { return flux(gas, p, 0); }, at, 0);
  const auto other = derivative([&](const Vector& p) { return flux(gas, p, 1); }, at, 1);
  for (std::size_t v = 0; v < sum.size(); ++v) {
    sum[v] += other[v];
  }
  return sum;
}

/// A steady flow with a source and exact values around it, by steps of the test's own.
class Problem {
 public:
  Problem(const comm::Comm& comm, const Grid& grid, const Physics& physics)
      : comm_(comm), grid_(grid), solution_(comm, grid, physics, 0.5, 1) {
    solution_.set(exact);
    for (const Block& block : grid.own) {
      std::vector<double>& values = sources_.emplace_back(num_conserved * block.extent.stored());
      block.extent.for_each_row([&](std::size_t first, int j, int k) {
        for (int i = 0; i < block.extent.count(0); ++i) {
          const std::size_t at = first + static_cast<std::size_t>(i);
          const auto found = source(physics.gas, block.center(i, j, k));
          for (std::size_t v = 0; v < found.size(); ++v) {
            values[v * block.extent.stored() + at] = found[v] * block.volumes[at];
          }
        }
      });
    }
  }

  /// Steps until the largest change of the density per step is below `limit`.
  void converge(double limit) {
    double change = 1;
    for (int n = 0; n < 20000 && change > limit; ++n) {
      const std::vector<double> start = solution_.conserved();
      for (const double stage : {0.0695, 0.1602, 0.2898, 0.5060, 1.0}) {
        complete();
        for (std::size_t own = 0; own < grid_.own.size(); ++own) {
          step_block(own, stage, start);
        }
      }
      change = 0;
      for (std::size_t own = 0; own < grid_.own.size(); ++own) {
        for_each_cell(own, [&](std::size_t at, const Vector& /*center*/) {
          const std::size_t place = solution_.begin_of(own, 0) + at;
          change = std::max(change, std::abs(solution_.conserved()[place] - start[place]));
        });
      }
      change = comm::allreduce(comm_, change, comm::Op::max);
    }
    CHECK(change <= limit);
  }

  /// Root mean squares of the differences of the primitive values from the exact ones.
  Primitive errors() {
    complete();
    Primitive sums{};
    for (std::size_t own = 0; own < grid_.own.size(); ++own) {
      const std::size_t stored = grid_.own[own].extent.stored();
      for_each_cell(own, [&](std::size_t at, const Vector& center) {
        const Primitive wanted = exact(center);
        for (std::size_t v = 0; v < wanted.size(); ++v) {
          const double off = solution_.primitive(own, 0)[v * stored + at] - wanted[v];
          sums[v] += grid_.own[own].volumes[at] * off * off;
        }
      });
    }
    comm::allreduce(comm_, std::span<double>(sums), comm::Op::sum);
    for (double& sum : sums) {
      sum = std::sqrt(sum);
    }
    return sums;
  }

 private:
  template <typename Visit>
  void for_each_cell(std::size_t own, Visit&& visit) const {
    const Block& block = grid_.own[own];
    block.extent.for_each_row([&](std::size_t first, int j, int k) {
      for (int i = 0; i < block.extent.count(0); ++i) {
        visit(first + static_cast<std::size_t>(i), block.center(i, j, k));
      }
    });
  }

  void step_block(std::size_t own, double stage, const std::vector<double>& start) {
    const Block& block = grid_.own[own];
    const std::size_t stored = block.extent.stored();
    residual_.resize(num_conserved * stored);
    steps_.resize(stored);
    set_residual(block, solution_.physics(), {}, solution_.primitive(own, 0), rows_, residual_);
    set_steps(block, solution_.physics(), {}, solution_.primitive(own, 0), steps_);
    for_each_cell(own, [&](std::size_t at, const Vector& /*center*/) {
      for (std::size_t v = 0; v < num_conserved; ++v) {
        const std::size_t place = solution_.begin_of(own, 0) + v * stored + at;
        const double out = residual_[v * stored + at] - sources_[own][v * stored + at];
        solution_.conserved()[place] =
            start[place] - stage * 1.5 * steps_[at] / block.volumes[at] * out;
      }
    });
  }

  /// With the exact values behind all boundaries, at the centres of the ghosts.
  void complete() {
    solution_.complete();
    for (const BoundarySide& side : grid_.sides) {
      const Block& block = grid_.own[side.own];
      const std::span<double> w = solution_.primitive(side.own, 0);
      side.for_each_ghost([&](const Index3& c) {
        const Primitive values = exact(block.center(c[0], c[1], c[2]));
        for (std::size_t v = 0; v < values.size(); ++v) {
          w[v * block.extent.stored() + block.extent.at(c)] = values[v];
        }
      });
      set_temperatures(block.extent, solution_.physics().gas, w);
    }
  }

  const comm::Comm& comm_;
  const Grid& grid_;
  Solution solution_;
  std::vector<std::vector<double>> sources_; // times volume, per own block
  std::vector<double> residual_;
  std::vector<double> steps_;
  FluxRows rows_;
};

Primitive errors_on(const comm::Comm& comm, int n, bool is_viscous) {
  Shape shape;
  shape.cells = {n, n, 1};
  shape.blocks = {2, 2, 1};
  shape.wave = 0.05;
  const Grid grid = make_grid(
      comm, make_shape(shape),
      {{boundary("all", BoundaryKind::far_field, {"*:i-min", "*:i-max", "*:j-min", "*:j-max"})},
       {},
       1e-6});
  Physics physics;
  physics.gas.viscosity = is_viscous ? 0.02 : 0;
  physics.flux.limiter = Limiter::none;
  Problem problem(comm, grid, physics);
  problem.converge(1e-10);
  return problem.errors();
}

} // namespace

TEST_CASE(
    "a manufactured flow is solved with second order on a wavy grid, with and without viscosity" *
    on_ranks(1, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const bool is_viscous : {true, false}) {
    const Primitive coarse = errors_on(comm, 16, is_viscous);
    const Primitive fine = errors_on(comm, 32, is_viscous);
    for (const std::size_t v : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
      const double order = std::log2(coarse[v] / fine[v]);
      MESSAGE(std::string(is_viscous ? "viscous" : "inviscid"), ", value ", v, ": errors ",
              coarse[v], " ", fine[v], ", order ", order);
      CHECK(order >= 1.9);
    }
  }
}
