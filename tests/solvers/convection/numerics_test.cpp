// SPDX-License-Identifier: BSD-3-Clause
#include "boxes.hpp"
#include "convection/numerics/flow.hpp"
#include "convection/numerics/heat.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;
using exchange::SumStrategy;
using geometry::dot;

namespace {

/// Some blocks that depend on the element's number alone.
ElementMatrix<4> some_matrix(GlobalIndex element) {
  ElementMatrix<4> matrix{};
  double k = static_cast<double>(element);
  for (auto& row : matrix) {
    for (auto& block : row) {
      for (double& value : block) {
        value = std::sin(k += 1.7);
      }
    }
  }
  return matrix;
}

/// A velocity without sources, a pressure and a temperature that are linear in space, and what
/// keeps them up.
struct LinearFields {
  std::array<std::array<double, 3>, 3> matrix = {{{1, 2, -1}, {0.5, -3, 1}, {4, 0.2, 2}}};
  std::array<double, 3> slope = {1, -2, 0.5};                      // of the pressure
  std::array<double, 3> warmth = {0.3, 1.1, 2};                    // slope of the temperature
  std::vector<double> values, velocity, temperature, push, source; // on the nodes

  explicit LinearFields(const Mesh& mesh) {
    for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
      const auto at = place(mesh, n);
      const auto u = times_matrix(at);
      const auto carried = times_matrix(u); // u · grad u
      velocity.insert(velocity.end(), u.begin(), u.end());
      values.insert(values.end(), {u[0], u[1], u[2], 3 + dot(slope, at)});
      for (std::size_t c = 0; c < 3; ++c) {
        push.push_back(carried[c] + slope[c]);
      }
      temperature.push_back(2 + dot(warmth, at));
      source.push_back(dot(u, warmth));
    }
  }
  [[nodiscard]] std::array<double, 3> times_matrix(const std::array<double, 3>& at) const {
    return {dot(matrix[0], at), dot(matrix[1], at), dot(matrix[2], at)};
  }
};

double value_at(GlobalIndex unknown) {
  return std::cos(0.3 * static_cast<double>(unknown));
}

/// Error of the temperature sin(x + 2y) cos z that is carried and conducted through a cube.
double heat_error(const comm::Comm& comm, int cells, double diffusivity, bool captures = false) {
  const Mesh mesh = cube(comm, cells);
  const Edges edges = make_edges(mesh);
  const std::size_t nodes = mesh.tets.num_nodes();
  const std::array<double, 3> u = {1, 2, -1};
  std::vector<double> velocity, source, exact;
  for (std::size_t n = 0; n < nodes; ++n) {
    const auto [x, y, z] = place(mesh, n);
    velocity.insert(velocity.end(), u.begin(), u.end());
    exact.push_back(std::sin(x + 2 * y) * std::cos(z));
    source.push_back(6 * diffusivity * exact[n] +
                     (u[0] + 2 * u[1]) * std::cos(x + 2 * y) * std::cos(z) -
                     u[2] * std::sin(x + 2 * y) * std::sin(z));
  }
  Heat heat(comm, mesh, edges, SumStrategy::one_round);
  const std::vector<char> fixed = at_boundary(mesh, 1, 0);
  heat.set_fixed(fixed);
  std::vector<double> values(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    values[n] = fixed[n] != 0 ? exact[n] : 0;
  }
  for (int solves = captures ? 4 : 1; solves > 0; --solves) { // what they add rests on the values
    heat.solve({diffusivity, velocity, source, captures}, {}, 1e-10, values);
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    values[n] -= exact[n];
  }
  return size(comm, mesh, cells, 1, values);
}

/// By how much a front that a flow carries aslant through a cube leaves the range of what it is
/// made of, 0 to 1.
double overshoot(const comm::Comm& comm, bool captures) {
  const Mesh mesh = cube(comm, 10);
  const Edges edges = make_edges(mesh);
  std::vector<double> velocity, values;
  std::vector<char> fixed(mesh.tets.num_nodes(), 0);
  for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
    const auto [x, y, z] = place(mesh, n);
    velocity.insert(velocity.end(), {1, 0.2, 0.6});
    fixed[n] = x == 0 || y == 0 || z == 0 ? 1 : 0;
    values.push_back(fixed[n] != 0 && (z > 0.25 || x > 0) ? 1 : 0);
  }
  Heat heat(comm, mesh, edges, SumStrategy::one_round);
  heat.set_fixed(fixed);
  for (int solves = 0; solves < 10; ++solves) {
    heat.solve({1e-6, velocity, {}, captures}, {}, 1e-8, values);
  }
  double most = 0;
  for (const double value : values) {
    most = std::max({most, -value, value - 1});
  }
  return comm::allreduce(comm, most, comm::Op::max);
}

/// The steady vortices u = (sin x cos y, -cos x sin y, 0), which a force keeps up: their solution
/// on a cube, and its error.
double flow_error(const comm::Comm& comm, int cells, SumStrategy strategy,
                  std::vector<double>& values, Mesh& mesh) {
  mesh = cube(comm, cells);
  const Edges edges = make_edges(mesh);
  const std::size_t nodes = mesh.tets.num_nodes();
  constexpr double viscosity = 0.05;
  std::vector<double> force, exact;
  for (std::size_t n = 0; n < nodes; ++n) {
    const auto [x, y, z] = place(mesh, n);
    const double u = std::sin(x) * std::cos(y);
    const double v = -std::cos(x) * std::sin(y);
    exact.insert(exact.end(), {u, v, 0, 0});
    force.insert(force.end(), {2 * viscosity * u, 2 * viscosity * v, 0});
  }
  Flow flow(comm, mesh, edges, strategy);
  const std::vector<char> fixed = at_boundary(mesh, 4, 1);
  flow.set_fixed(fixed, false);
  values.assign(4 * nodes, 0);
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = fixed[n] != 0 ? exact[n] : 0;
  }
  NewtonSettings settings;
  settings.relative = 1e-8;
  const NewtonReport report = flow.solve({viscosity, force}, {}, settings, values);
  CHECK(report.last <= 1e-8 * report.first);
  std::vector<double> error = values;
  for (std::size_t n = 0; n < error.size(); ++n) {
    error[n] = n % 4 == 3 ? 0 : error[n] - exact[n];
  }
  return size(comm, mesh, cells, 4, error);
}

} // namespace

TEST_CASE("products by edges are those of all elements, whichever way sums take") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const discrete::TetBox box{{3, 2, 4}, {1, 1, 1}, 5};
  const Mesh mesh = make_box(comm, box);
  const Edges edges = make_edges(mesh);
  const auto unknowns = static_cast<std::size_t>(4 * box.num_nodes());
  std::vector<double> brute(unknowns, 0);
  for (std::size_t e = 0; e < edges.elements.size(); ++e) {
    const ElementMatrix<4> matrix = some_matrix(mesh.tets.tet_ids[e]);
    for (std::size_t k = 0; k < 256; ++k) { // corner, corner, row, column
      const std::size_t a = k / 64, b = k / 16 % 4, r = k / 4 % 4, c = k % 4;
      const auto id = [&](std::size_t corner) {
        return mesh.tets.node_ids[edges.elements[e].nodes[corner]];
      };
      brute[static_cast<std::size_t>(4 * id(a)) + r] +=
          matrix[a][b][4 * r + c] * value_at(4 * id(b) + static_cast<GlobalIndex>(c));
    }
  }
  comm::allreduce(comm, std::span(brute), comm::Op::sum);
  for (const SumStrategy strategy :
       {SumStrategy::allreduce, SumStrategy::allgather, SumStrategy::two_stage,
        SumStrategy::one_round, SumStrategy::shared_memory}) {
    EdgeMatrix<4> matrix(comm, mesh, edges, strategy);
    for (std::size_t e = 0; e < edges.elements.size(); ++e) {
      matrix.add(edges.elements[e], some_matrix(mesh.tets.tet_ids[e]));
    }
    std::vector<double> x, y(4 * mesh.tets.num_nodes());
    for (std::size_t n = 0; n < y.size(); ++n) {
      x.push_back(value_at(4 * mesh.tets.node_ids[n / 4] + static_cast<GlobalIndex>(n % 4)));
    }
    matrix.scale(x);
    matrix.apply(x, y);
    matrix.unscale(y);
    for (std::size_t n = 0; n < y.size(); ++n) {
      const auto at = static_cast<std::size_t>(4 * mesh.tets.node_ids[n / 4]) + n % 4;
      CHECK(y[n] == doctest::Approx(brute[at]).epsilon(1e-12));
    }
  }
}

TEST_CASE("fronts overshoot less where they are captured, and smooth temperatures keep the order") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const double without = overshoot(comm, false);
  const double captured = overshoot(comm, true);
  INFO("overshoots: ", without, " without, ", captured, " with capturing");
  CHECK(without > 0.1);
  CHECK(captured < 0.5 * without);
  const double order =
      std::log2(heat_error(comm, 8, 0.02, true) / heat_error(comm, 16, 0.02, true));
  INFO("order ", order);
  CHECK(order > 1.8);
}

TEST_CASE("tractions and heat of linear fields are exact integrals, and nothing is left inside") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::array<double, 3> lengths = {2, 1, 1.5};
  const Mesh mesh = make_box(comm, {{4, 3, 5}, lengths, 5}, {1, 0, 0.5}); // uneven cells
  const Edges edges = make_edges(mesh);
  const LinearFields f(mesh);
  const std::size_t nodes = mesh.tets.num_nodes();
  Flow flow(comm, mesh, edges, SumStrategy::two_stage, Preparation::blocks);
  Heat heat(comm, mesh, edges, SumStrategy::two_stage);
  flow.set_fixed(std::vector<char>(4 * nodes, 1), true);
  heat.set_fixed(std::vector<char>(nodes, 1));
  std::vector<double> force(3 * nodes), entering(nodes);
  constexpr double viscosity = 0.3;
  constexpr double diffusivity = 0.7;
  flow.force({viscosity, f.push}, {}, f.values, force);
  heat.flux({diffusivity, f.velocity, f.source, false, {}, 0.4}, {}, f.temperature, entering);
  const std::vector<char> outside = at_boundary(mesh, 1, 0);
  for (std::size_t n = 0; n < nodes; ++n) {
    if (outside[n] == 0) {
      CHECK(std::abs(entering[n]) < 1e-12);
      CHECK(std::abs(force[3 * n]) + std::abs(force[3 * n + 2]) < 1e-12);
    }
  }
  const double volume = lengths[0] * lengths[1] * lengths[2];
  const std::array<double, 3> middle = {lengths[0] / 2, lengths[1] / 2, lengths[2] / 2};
  for (std::size_t k = 0; k < 3; ++k) { // integrals over the boundary of what it feels times x_k
    const auto moment = [&](std::span<const double> of, std::size_t width, std::size_t c) {
      std::vector<double> along(nodes), component(nodes);
      for (std::size_t n = 0; n < nodes; ++n) {
        along[n] = place(mesh, n)[k];
        component[n] = of[width * n + c];
      }
      return exchange::owned_dot(comm, mesh.plan, 1, component, along);
    };
    CHECK(moment(entering, 1, 0) ==
          doctest::Approx(diffusivity * f.warmth[k] * volume).epsilon(1e-11));
    for (std::size_t c = 0; c < 3; ++c) {
      const double pressure = c == k ? 3 + dot(f.slope, middle) : 0;
      const double exact =
          volume * (pressure + f.slope[c] * middle[k] - viscosity * f.matrix[c][k]);
      CHECK(moment(force, 3, c) == doctest::Approx(exact).epsilon(1e-11));
    }
  }
}

TEST_CASE("conduction through a plate is exact, and what enters leaves") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Mesh mesh = make_box(comm, {{3, 3, 5}, {2, 1, 4}, 5});
  const Edges edges = make_edges(mesh);
  const std::size_t nodes = mesh.tets.num_nodes();
  std::vector<char> fixed(nodes, 0);
  std::vector<double> values(nodes, 0), flux(nodes);
  const std::vector<double> rest(3 * nodes, 0);
  for (const LocalIndex node : mesh.group("z-min").nodes) {
    fixed[static_cast<std::size_t>(node)] = 1;
    values[static_cast<std::size_t>(node)] = 1;
  }
  for (const LocalIndex node : mesh.group("z-max").nodes) {
    fixed[static_cast<std::size_t>(node)] = 1;
  }
  Heat heat(comm, mesh, edges, SumStrategy::two_stage);
  heat.set_fixed(fixed);
  heat.solve({3, rest, {}}, {}, 1e-13, values);
  heat.flux({3, rest, {}}, {}, values, flux);
  std::vector<double> low(nodes, 0);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double z = place(mesh, n)[2];
    CHECK(values[n] == doctest::Approx(1 - z / 4).epsilon(1e-10));
    low[n] = z < 2 ? 1 : 0;
  }
  CHECK(exchange::owned_dot(comm, mesh.plan, 1, flux, low) == doctest::Approx(3.0 * 2 * 1 / 4));
  const std::vector<double> ones(nodes, 1);
  CHECK(std::abs(exchange::owned_dot(comm, mesh.plan, 1, flux, ones)) < 1e-9);
}

TEST_CASE("the error of temperatures falls with the square of the width, slow flow or fast") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const double diffusivity : {1.0, 1e-2}) {
    const double order =
        std::log2(heat_error(comm, 6, diffusivity) / heat_error(comm, 12, diffusivity));
    INFO("diffusivity ", diffusivity, ": order ", order);
    CHECK(order > 1.8);
  }
}

TEST_CASE("the error of vortices falls with the square of the width; ways of summing agree") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<double> values, others;
  Mesh mesh;
  const double fine = flow_error(comm, 8, SumStrategy::one_round, values, mesh);
  const double coarse = flow_error(comm, 4, SumStrategy::one_round, values, mesh);
  INFO("errors ", coarse, " and ", fine);
  CHECK(std::log2(coarse / fine) > 1.8);
  for (const SumStrategy strategy : {SumStrategy::allreduce, SumStrategy::allgather,
                                     SumStrategy::two_stage, SumStrategy::shared_memory}) {
    flow_error(comm, 4, strategy, others, mesh);
    for (std::size_t n = 0; n < values.size(); ++n) {
      CHECK(std::abs(others[n] - values[n]) < 1e-7);
    }
  }
}
