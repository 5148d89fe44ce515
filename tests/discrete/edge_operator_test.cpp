// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/edge_operator.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/tetrahedra.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

using namespace isthmus;
using discrete::TetBox;
using discrete::TetMesh;
using exchange::InterfacePlan;
using exchange::InterfaceSum;
using exchange::SumStrategy;

namespace {

constexpr discrete::Transport transport{0.7, {0.3, -1.1, 0.4}};

double value_at(GlobalIndex id) {
  return std::sin(0.37 * static_cast<double>(id));
}

std::vector<double> values_of(const TetMesh& mesh) {
  std::vector<double> x;
  for (const GlobalIndex id : mesh.node_ids) {
    x.push_back(value_at(id));
  }
  return x;
}

/// Element by element: every tetrahedron multiplies with its own 4 x 4 matrix.
std::vector<double> by_elements(const TetMesh& mesh, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (const auto& tet : mesh.tets) {
    const discrete::LinearTet linear = discrete::linear_tet(mesh, tet);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        double entry = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          entry += transport.diffusion * linear.gradients[a][c] * linear.gradients[b][c] +
                   transport.velocity[c] * linear.gradients[b][c] / 4;
        }
        y[static_cast<std::size_t>(tet[a])] +=
            linear.volume * entry * x[static_cast<std::size_t>(tet[b])];
      }
    }
  }
  return y;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) {
    most = std::max(most, std::abs(value));
  }
  return most;
}

} // namespace

TEST_CASE("the edge operator on any ranks is the element operator of the whole mesh") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int tets_per_cell : {5, 6}) {
    const TetBox box{{9, 5, 6}, {4.0, 1.0, 1.0}, tets_per_cell};
    const TetMesh whole = discrete::make_block(box, 1, 0);
    const std::vector<double> wanted = by_elements(whole, values_of(whole));
    const TetMesh mesh = discrete::make_block(box, comm.size(), comm.rank());
    const InterfacePlan plan = exchange::make_interface_plan(comm, mesh.node_ids);
    const discrete::EdgeOperator a(mesh, plan, transport);
    for (const SumStrategy strategy : {SumStrategy::one_round, SumStrategy::two_stage,
                                       SumStrategy::allreduce, SumStrategy::shared_memory}) {
      InterfaceSum sum(comm, plan, 1, strategy);
      std::vector<double> y(mesh.num_nodes(), 1e9);
      a.apply(sum, 1, values_of(mesh), y);
      std::vector<double> error;
      for (std::size_t i = 0; i < y.size(); ++i) { // ids count the nodes of the whole
        error.push_back(y[i] - wanted[static_cast<std::size_t>(mesh.node_ids[i])]);
      }
      CHECK(largest(error) < 1e-13 * largest(wanted));
    }
  }
}

TEST_CASE("any order of the nodes gives the same operator") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const TetBox box{{8, 4, 4}, {2.0, 1.0, 1.0}};
  const TetMesh mesh = discrete::make_block(box, comm.size(), comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, mesh.node_ids);
  std::vector<double> y(mesh.num_nodes());
  InterfaceSum sum(comm, plan, 1, SumStrategy::one_round);
  discrete::EdgeOperator(mesh, plan, transport).apply(sum, 1, values_of(mesh), y);

  std::vector<LocalIndex> order(mesh.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<LocalIndex> numbers(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    numbers[static_cast<std::size_t>(order[k])] = static_cast<LocalIndex>(k);
  }
  const TetMesh shuffled = discrete::reorder(mesh, order);
  const InterfacePlan renamed = exchange::renumber(plan, numbers);
  InterfaceSum other(comm, renamed, 1, SumStrategy::one_round);
  std::vector<double> z(mesh.num_nodes());
  discrete::EdgeOperator(shuffled, renamed, transport).apply(other, 1, values_of(shuffled), z);
  int different = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const auto i = static_cast<std::size_t>(order[k]);
    CHECK(shuffled.node_ids[k] == mesh.node_ids[i]);
    different += std::abs(z[k] - y[i]) > 1e-13 ? 1 : 0;
  }
  CHECK(different == 0);
}

TEST_CASE("a constant gives zero, a linear function its derivative along the flow inside") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const TetBox box{{6, 6, 6}, {1.0, 1.0, 1.0}, 6};
  const TetMesh mesh = discrete::make_block(box, comm.size(), comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, mesh.node_ids);
  const discrete::EdgeOperator a(mesh, plan, transport);
  InterfaceSum sum(comm, plan, 1);
  std::vector<double> x(mesh.num_nodes(), 3.5);
  std::vector<double> y(x.size());
  a.apply(sum, 1, x, y);
  CHECK(largest(y) < 1e-15);
  std::vector<double> error;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = mesh.coords[3 * i] + 2 * mesh.coords[3 * i + 1] - mesh.coords[3 * i + 2];
  }
  a.apply(sum, 1, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto inside = [&](std::size_t c) {
      return mesh.coords[3 * i + c] > 1e-9 && mesh.coords[3 * i + c] < 1 - 1e-9;
    };
    if (inside(0) && inside(1) && inside(2)) {
      error.push_back(y[i] - (0.3 - 2 * 1.1 - 0.4) / 216); // times the integral of the node
    }
  }
  CHECK(largest(error) < 1e-15);
}

TEST_CASE("the mesh of the paper has its counts, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const TetBox box{{81, 21, 21}, {4.0, 1.0, 1.0}};
  const TetMesh mesh = discrete::make_block(box, comm.size(), comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, mesh.node_ids);
  const auto tets = static_cast<std::int64_t>(mesh.tets.size());
  CHECK(comm::allreduce(comm, tets, comm::Op::sum) == 178'605);
  CHECK(comm::allreduce(comm, std::int64_t{plan.num_owned()}, comm::Op::sum) == 39'688);
  CHECK(box.num_nodes() == 39'688);
  double volume = 0;
  for (const auto& tet : mesh.tets) {
    volume += discrete::linear_tet(mesh, tet).volume;
  }
  CHECK(comm::allreduce(comm, volume, comm::Op::sum) == doctest::Approx(4.0).epsilon(1e-10));
}

TEST_CASE("tetrahedra of neighbouring cells fit: inner faces belong to two of them") {
  for (const int tets_per_cell : {5, 6}) {
    const TetBox box{{3, 4, 2}, {1.0, 1.0, 1.0}, tets_per_cell};
    std::multiset<std::array<LocalIndex, 3>> faces;
    for (auto tet : discrete::make_block(box, 1, 0).tets) {
      std::sort(tet.begin(), tet.end());
      faces.insert({tet[0], tet[1], tet[2]});
      faces.insert({tet[0], tet[1], tet[3]});
      faces.insert({tet[0], tet[2], tet[3]});
      faces.insert({tet[1], tet[2], tet[3]});
    }
    std::size_t outer = 0;
    for (const auto& face : faces) {
      CHECK(faces.count(face) <= 2);
      outer += faces.count(face) == 1 ? 1 : 0;
    }
    CHECK(outer == 2 * 2 * (3 * 4 + 3 * 2 + 4 * 2));
  }
}

TEST_CASE("blocks are nearly cubes, ranks without cells are empty, senseless boxes are refused") {
  CHECK(discrete::block_grid({{40, 10, 10}, {}}, 4) == std::array{4, 1, 1});
  CHECK(discrete::block_grid({{40, 10, 10}, {}}, 16) == std::array{4, 2, 2});
  CHECK(discrete::make_block({{1, 1, 1}, {1.0, 1.0, 1.0}}, 3, 0).tets.size() +
            discrete::make_block({{1, 1, 1}, {1.0, 1.0, 1.0}}, 3, 1).tets.size() +
            discrete::make_block({{1, 1, 1}, {1.0, 1.0, 1.0}}, 3, 2).tets.size() ==
        5);
  CHECK_THROWS_AS((void)discrete::make_block({{1, 1, 1}, {}, 4}, 1, 0), Error);
  CHECK_THROWS_AS((void)discrete::make_block({{1, 0, 1}, {}}, 1, 0), Error);
}
