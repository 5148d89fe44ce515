// SPDX-License-Identifier: BSD-3-Clause
// bench_heat_sums NX NY NZ STEPS WAY…: steps of the solver of flow with heat in a box 4:1:1 of
// NX x NY x NZ cells that is warm below, from noise, once per way of summing over shared nodes.
// A line for each way: seconds of a step of the slowest rank, sums of a step, messages and bytes of
// a sum that the busiest rank sends, and the root mean square of the speed. Under the smpi preset,
// where computation takes no time, these are the seconds of the messages of the whole solver.
#include "convection/numerics/steps.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/program.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;
using exchange::SumStrategy;

namespace {

SumStrategy way_named(const std::string& name) {
  for (const SumStrategy way :
       {SumStrategy::allreduce, SumStrategy::allgather, SumStrategy::two_stage,
        SumStrategy::one_round, SumStrategy::shared_memory, SumStrategy::automatic}) {
    if (name == to_string(way)) {
      return way;
    }
  }
  fail("there is no way of summing \"{}\"", name);
}

/// A box and what its walls hold.
struct Box {
  Mesh mesh;
  Edges edges;
  std::vector<char> held, hot; // unknowns of the flow, nodes

  Box(const comm::Comm& comm, const std::array<int, 3>& cells)
      : mesh(make_box(comm, {{cells[0], cells[1], cells[2]}, {4, 1, 1}, 6})),
        edges(make_edges(mesh)),
        held(4 * mesh.tets.num_nodes(), 0),
        hot(mesh.tets.num_nodes(), 0) {
    for (const Group& group : mesh.groups) {
      for (const LocalIndex node : group.nodes) {
        const auto n = static_cast<std::size_t>(node);
        std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(4 * n), 3, 1);
        hot[n] = group.name[0] == 'z' ? 1 : hot[n];
      }
    }
  }
};

struct Found {
  double seconds = 0; // of all steps
  SumTime sums;
  double speed = 0;
};

/// Collective.
Found solve(const comm::Comm& comm, const Box& box, SumStrategy way, int num_steps) {
  Found found;
  Flow flow(comm, box.mesh, box.edges, {way, &found.sums}, Preparation::blocks);
  Heat heat(comm, box.mesh, box.edges, {way, &found.sums});
  flow.set_fixed(box.held, false);
  heat.set_fixed(box.hot);
  std::vector<double> values(box.held.size(), 0), temperature;
  for (std::size_t n = 0; n < box.hot.size(); ++n) {
    const double noise = std::sin(17.0 * static_cast<double>(box.mesh.tets.node_ids[n]));
    temperature.push_back(0.5 - box.mesh.tets.coords[3 * n + 2] +
                          (box.hot[n] != 0 ? 0 : 0.05 * noise));
  }
  StepTerms terms{0.71, 1, {0, 0, 30000 * 0.71}};
  terms.heat_tolerance = 1e-3;
  constexpr double step = 0.01;
  Steps steps(flow, heat, 1, step);
  found.sums = {};
  comm::barrier(comm);
  const double begin = MPI_Wtime();
  for (int k = 0; k < num_steps; ++k) {
    steps.begin(values, temperature, step);
    static_cast<void>(steps.solve(terms, {1e-3, 1e-10, 20, 0.1}, values, temperature));
  }
  found.seconds = comm::allreduce(comm, MPI_Wtime() - begin, comm::Op::max);
  for (std::size_t n = 3; n < values.size(); n += 4) {
    values[n] = 0; // pressure
  }
  const std::vector<double> ones(box.hot.size(), 1);
  found.speed = std::sqrt(exchange::owned_dot(comm, box.mesh.plan, 4, values, values) /
                          exchange::owned_dot(comm, box.mesh.plan, 1, ones, ones));
  return found;
}

void execute(const comm::Comm& comm, const std::vector<std::string>& words) {
  check(words.size() > 4, "usage: bench_heat_sums NX NY NZ STEPS WAY…");
  std::array<int, 4> numbers{}; // cells, steps
  std::transform(words.begin(), words.begin() + 4, numbers.begin(),
                 [](const std::string& word) { return std::atoi(word.c_str()); });
  const Box box(comm, {numbers[0], numbers[1], numbers[2]});
  if (comm.is_root()) {
    fmt::print("way,seconds,sums,messages,bytes,speed\n");
  }
  for (std::size_t w = 4; w < words.size(); ++w) {
    const Found found = solve(comm, box, way_named(words[w]), numbers[3]);
    const auto sums = static_cast<double>(found.sums.sums);
    const double messages =
        comm::allreduce(comm, static_cast<double>(found.sums.messages), comm::Op::max);
    const double bytes =
        comm::allreduce(comm, static_cast<double>(found.sums.bytes), comm::Op::max);
    if (comm.is_root()) {
      fmt::print("{},{:.6e},{:.1f},{:.3f},{:.1f},{:.9e}\n", words[w], found.seconds / numbers[3],
                 sums / numbers[3], messages / sums, bytes / sums, found.speed);
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  return isthmus::comm::run_program(argc, argv, execute);
}
