// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// The values of each own block after some iterations, and the norms.
struct Outcome {
  std::map<int, std::vector<double>> blocks;
  Norms norms;
};

Outcome iterate(const comm::Comm& comm, const TimeSettings& settings, double preconditioning) {
  constexpr int iterations = 5;
  const Grid grid = cylinder(comm, {32, 12, 1}, {4, 2, 1}, 10);
  Physics physics;
  physics.gas.viscosity = 0.2 / 40;
  physics.flux.preconditioning = preconditioning;
  TimeTerms time(grid, settings);
  Solution solution(comm, grid, physics, 0.2, time.num_snapshots());
  std::vector<Attitude> attitudes;
  for (int s = 0; s < time.num_snapshots(); ++s) {
    attitudes.push_back({0.1 * s, -0.01 * s});
  }
  solution.set_attitudes(attitudes);
  solution.set_undisturbed();
  Scheme scheme(comm, {2, 0.5}, solution, time);
  time.begin_step(solution);
  Outcome outcome;
  for (int n = 0; n < iterations; ++n) {
    outcome.norms = scheme.iterate();
  }
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    const auto begin = solution.conserved().begin();
    const std::size_t first = solution.begin_of(own, 0);
    const std::size_t size = num_conserved * grid.own[own].extent.stored() *
                             static_cast<std::size_t>(time.num_snapshots());
    outcome.blocks[grid.own[own].number].assign(begin + static_cast<std::ptrdiff_t>(first),
                                                begin + static_cast<std::ptrdiff_t>(first + size));
  }
  return outcome;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

} // namespace

TEST_CASE("any number of ranks makes the same bits, in all kinds of time") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const TimeSettings& settings : {TimeSettings{}, TimeSettings{TimeKind::dual, 0.5, 0, 0},
                                       TimeSettings{TimeKind::harmonic, 0, 1, 0.1}}) {
    for (const double preconditioning : {0.0, 0.04}) {
      const Outcome alone = iterate(comm::Comm(), settings, preconditioning);
      const Outcome together = iterate(comm, settings, preconditioning);
      CHECK(alone.norms.values[0] > 0);
      CHECK(same_bits(alone.norms.values, together.norms.values));
      for (const auto& [block, values] : together.blocks) {
        CHECK(same_bits(values, alone.blocks.at(block)));
      }
    }
  }
}
