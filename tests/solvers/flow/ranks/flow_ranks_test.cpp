// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/multigrid.hpp"
#include "flow/turbulence/turbulence.hpp"
#include "flows.hpp"
#include "message_of.hpp"
#include "sends.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <optional>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

constexpr int iterations = 2;

/// A cylinder in 16 blocks, which are cut where ranks are more than that or blocks do not come out
/// even: 64 ranks have 16 cells each.
std::vector<Grid> cylinder_grids(const comm::Comm& comm, bool cuts, int levels) {
  Shape shape;
  shape.kind = "cylinder";
  shape.cells = {64, 16, 1};
  shape.blocks = {8, 2, 1};
  shape.radius = 10;
  shape.first = 0.05;
  GridSettings settings{{boundary("wall", BoundaryKind::no_slip, {"*:j-min"}),
                         boundary("far", BoundaryKind::far_field, {"*:j-max"})},
                        {},
                        1e-6};
  settings.dealing = {.cuts = cuts, .least = 4};
  return make_grids(comm, make_shape(shape), settings, levels);
}

struct Kind {
  TimeSettings time{};
  double preconditioning = 0;
  int levels = 1;
  bool is_turbulent = false;
};

/// A flow under way.
class Run {
 public:
  Run(const comm::Comm& comm, const Kind& kind, bool cuts)
      : grids_(cylinder_grids(comm, cuts, kind.levels)),
        time_(grids_.front(), kind.time),
        solution_(comm, grids_.front(), physics_of(kind), 0.2, time_.num_snapshots()),
        multigrid_(comm, {1.5, 0.5, kind.levels, 2}, grids_, solution_, time_) {
    std::vector<Attitude> attitudes;
    for (int s = 0; s < time_.num_snapshots(); ++s) {
      attitudes.push_back({0.1 * s, -0.01 * s});
    }
    solution_.set_attitudes(attitudes);
    solution_.set_undisturbed();
    if (kind.is_turbulent) {
      turbulence_.emplace(comm, TurbulentStream{1e-4, 1}, 1.5, solution_, time_);
      turbulence_->refresh();
    }
  }

  Norms iterate(int count) {
    Norms norms;
    time_.begin_step(solution_);
    if (turbulence_) {
      turbulence_->begin_step();
    }
    for (int n = 0; n < count; ++n) {
      norms = multigrid_.iterate();
      if (turbulence_) {
        turbulence_->iterate();
      }
    }
    return norms;
  }

  Solution& solution() { return solution_; }
  Scheme make_scheme(const comm::Comm& comm) { return {comm, {1.5, 0.5}, solution_, time_}; }

  /// Calls visit(place among the values of all cells of the grid, value) for those of this rank.
  template <typename Visit>
  void for_each_value(Visit&& visit) const {
    const Grid& grid = grids_.front();
    const auto fields = num_conserved * static_cast<std::size_t>(solution_.num_snapshots());
    for (std::size_t own = 0; own < grid.own.size(); ++own) {
      const Block& block = grid.own[own];
      const Index3& whole = grid.blocks.topology.cells(block.number);
      Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& cell) {
        const Index3 at = in_block(grid.blocks.own_piece(own), cell);
        const int in_blocks = (block.number * whole[1] + at[1]) * whole[0] + at[0]; // all equal
        for (std::size_t field = 0; field < fields; ++field) {
          visit(static_cast<std::size_t>(in_blocks) * fields + field,
                solution_.conserved()[solution_.begin_of(own, 0) + field * block.extent.stored() +
                                      block.extent.at(cell)]);
        }
      });
    }
  }

 private:
  static Physics physics_of(const Kind& kind) {
    Physics physics;
    physics.gas.viscosity = 0.2 / 40;
    physics.gas.is_turbulent = kind.is_turbulent;
    physics.flux.preconditioning = kind.preconditioning;
    return physics;
  }

  std::vector<Grid> grids_;
  TimeTerms time_;
  Solution solution_;
  Multigrid multigrid_;
  std::optional<Turbulence> turbulence_;
};

/// The values of all cells, computed by rank 0 alone in whole blocks.
std::vector<double> alone(const comm::Comm& comm, const Kind& kind, Norms& norms) {
  std::vector<double> values;
  if (comm.is_root()) {
    const comm::Comm self;
    Run run(self, kind, false);
    norms = run.iterate(iterations);
    run.for_each_value([&](std::size_t at, double value) {
      values.resize(std::max(values.size(), at + 1));
      values[at] = value;
    });
  }
  comm::bcast(comm, values);
  norms = comm::bcast(comm, norms);
  return values;
}

} // namespace

TEST_CASE("any number of ranks makes the same bits, in all kinds of time, with blocks cut") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const TimeSettings dual{TimeKind::dual, 0.5, 0, 0};
  const TimeSettings harmonic{TimeKind::harmonic, 0, 1, 0.1};
  for (const Kind& kind :
       {Kind{{}, 0, 2, true}, Kind{dual, 0.04, 1, true}, Kind{harmonic, 0, 2, false},
        Kind{harmonic, 0.04, 1, false}, Kind{harmonic, 0, 1, true}}) {
    Norms norms;
    const std::vector<double> expected = alone(comm, kind, norms);
    Run run(comm, kind, true);
    const Norms found = run.iterate(iterations);
    CHECK(found.values == norms.values);
    CHECK(norms.values[0] > 0);
    GlobalIndex count = 0;
    GlobalIndex equal = 0;
    run.for_each_value([&](std::size_t at, double value) {
      ++count;
      equal += value == expected.at(at) ? 1 : 0;
    });
    CHECK(equal == count);
    CHECK(comm::allreduce(comm, count, comm::Op::sum) ==
          static_cast<GlobalIndex>(expected.size())); // each cell on one rank
  }
}

TEST_CASE("ghosts of all snapshots travel in one message per partner") {
  const comm::Comm comm(MPI_COMM_WORLD);
  int of_steady = 0;
  for (const TimeSettings& time : {TimeSettings{}, TimeSettings{TimeKind::harmonic, 0, 4, 0.1}}) {
    Run run(comm, {time}, true);
    run.solution().complete();
    const int before = num_sends();
    run.solution().complete();
    const int sent = num_sends() - before;
    if (time.kind == TimeKind::steady) {
      of_steady = sent;
    }
    CHECK(sent == of_steady);
    CHECK(sent < comm.size());
    const int all = comm::allreduce(comm, sent, comm::Op::sum);
    CHECK((all > 0) == (comm.size() > 1));
  }
}

TEST_CASE("a flow that is no number any more on one rank is refused on all, with block and cell") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Run run(comm, {}, true);
  Solution& solution = run.solution();
  const Grid& grid = solution.grid();
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    const Block& block = grid.own[own]; // pieces have 4 x 4 cells or more
    if (block.number == 11 && block.begin == Index3{0, 0, 0}) {
      solution.conserved()[solution.begin_of(own, 0) + block.extent.at(2, 1, 0)] =
          std::numeric_limits<double>::quiet_NaN();
    }
  }
  Scheme scheme = run.make_scheme(comm);
  const std::string found = message_of([&] { scheme.iterate(); });
  CHECK(found.find("in cell (3, 2, 1) of block 12: lower \"cfl\"") != std::string::npos);
}
