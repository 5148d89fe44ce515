// SPDX-License-Identifier: BSD-3-Clause
#include "boxes.hpp"
#include "convection/numerics/steps.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

struct Fields {
  std::vector<GlobalIndex> ids;
  std::vector<double> values, temperature;
};

/// Collective. Two steps of convection in a box that is warm below, solved so exactly that results
/// differ only by round-off.
Fields convect(const comm::Comm& comm, exchange::SumStrategy sums, Preparation preparation) {
  const Mesh mesh = make_box(comm, {{8, 4, 4}, {2, 1, 1}, 5});
  const Edges edges = make_edges(mesh);
  SumTime time;
  Flow flow(comm, mesh, edges, {sums, &time}, preparation);
  Heat heat(comm, mesh, edges, {sums, &time});
  flow.set_fixed(at_boundary(mesh, 4, 1), false);
  Fields result{mesh.tets.node_ids, std::vector<double>(4 * mesh.tets.num_nodes(), 0), {}};
  std::vector<char> is_held(mesh.tets.num_nodes(), 0);
  for (const char* group : {"z-min", "z-max"}) {
    for (const LocalIndex node : mesh.group(group).nodes) {
      is_held[static_cast<std::size_t>(node)] = 1;
    }
  }
  heat.set_fixed(is_held);
  for (std::size_t n = 0; n < is_held.size(); ++n) {
    const auto [x, y, z] = place(mesh, n);
    result.temperature.push_back(0.5 - z + (is_held[n] != 0 ? 0 : 0.1 * std::cos(3 * x + y)));
  }
  StepTerms terms{0.71, 1, {0, 0, 20000}};
  terms.heat_tolerance = 1e-12;
  constexpr double step = 0.005;
  Steps steps(flow, heat, 2, step);
  for (int n = 0; n < 2; ++n) {
    steps.begin(result.values, result.temperature, step);
    static_cast<void>(
        steps.solve(terms, {1e-10, 1e-12, 20, 1e-4}, result.values, result.temperature));
  }
  if (sums != exchange::SumStrategy::shared_memory && sums != exchange::SumStrategy::automatic) {
    CHECK((time.messages > 0) == (comm.size() > 1)); // those two need none on one computer
  }
  return result;
}

} // namespace

TEST_CASE("convection is the same on these ranks as on one, by every way of summing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Fields alone;
  const comm::Comm group = comm.split(comm.is_root() ? 0 : 1);
  if (comm.is_root()) {
    alone = convect(group, exchange::SumStrategy::automatic, Preparation::blocks);
  }
  comm::bcast(comm, alone.values); // ids are 0, 1, 2, … there
  comm::bcast(comm, alone.temperature);
  double speed = 0;
  for (std::size_t n = 0; n < alone.values.size(); ++n) {
    speed = n % 4 == 3 ? speed : std::max(speed, std::abs(alone.values[n]));
  }
  CHECK(speed > 1); // it moves
  const auto check_same = [&](exchange::SumStrategy sums, Preparation preparation) {
    INFO(std::string(exchange::to_string(sums)), ", preparation ", static_cast<int>(preparation));
    const Fields here = convect(comm, sums, preparation);
    double of_flow = 0;
    double of_heat = 0;
    for (std::size_t n = 0; n < here.ids.size(); ++n) {
      const auto id = static_cast<std::size_t>(here.ids[n]);
      of_heat = std::max(of_heat, std::abs(here.temperature[n] - alone.temperature[id]));
      for (std::size_t c = 0; c < 3; ++c) {
        of_flow = std::max(of_flow, std::abs(here.values[4 * n + c] - alone.values[4 * id + c]));
      }
    }
    CHECK(of_flow < 1e-6 * speed);
    CHECK(of_heat < 1e-7);
  };
  for (const exchange::SumStrategy sums :
       {exchange::SumStrategy::allreduce, exchange::SumStrategy::allgather,
        exchange::SumStrategy::two_stage, exchange::SumStrategy::one_round,
        exchange::SumStrategy::shared_memory}) {
    check_same(sums, Preparation::blocks);
  }
  check_same(exchange::SumStrategy::automatic, Preparation::schwarz);
  check_same(exchange::SumStrategy::automatic, Preparation::multigrid);
}
