// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/multigrid.hpp"

#include "flow/grid/grid.hpp"
#include "flows.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// A flow in a square with slip walls but for the first side, which sticks to the flow.
GridSettings walls() {
  GridSettings settings;
  settings.boundaries = {
      boundary("wall", BoundaryKind::no_slip, {"*:j-min"}),
      boundary("rest", BoundaryKind::far_field, {"*:i-min", "*:i-max", "*:j-max"})};
  return settings;
}

struct Found {
  int iterations = 0;
  std::vector<double> values;
};

/// Iterates until the residual is a millionth of what it was first.
Found solve(const comm::Comm& comm, int levels, int cycle) {
  Shape shape;
  shape.cells = {32, 32, 1};
  shape.blocks = {2, 1, 1};
  const auto grids = make_grids(comm, make_shape(shape), walls(), levels);
  const Physics physics{{1.4, 0.72, 0.01}, {}};
  const TimeTerms time(grids.front(), {});
  Solution solution(comm, grids.front(), physics, 0.3, 1);
  solution.set_attitudes({{}});
  solution.set_undisturbed();
  Multigrid multigrid(comm, {.levels = levels, .cycle = cycle}, grids, solution, time);
  Found found;
  double first = 0;
  for (double now = 1; now > 1e-6 * first && found.iterations < 5000; ++found.iterations) {
    now = multigrid.iterate().values[4];
    first = std::max(first, now);
  }
  solution.complete();
  for (std::size_t own = 0; own < grids.front().own.size(); ++own) {
    const Extent& extent = grids.front().own[own].extent;
    Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& cell) {
      found.values.push_back(std::as_const(solution).primitive(own, 0)[extent.at(cell)]);
    });
  }
  return found;
}

} // namespace

TEST_CASE("cycles of multigrid come to the flow of the fine grid alone, in far fewer iterations" *
          on_ranks(1, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Found alone = solve(comm, 1, 1);
  for (const auto& [levels, cycle] : {std::pair{2, 1}, {3, 1}, {4, 2}}) {
    CAPTURE(levels);
    const Found found = solve(comm, levels, cycle);
    CHECK(2 * found.iterations < alone.iterations);
    REQUIRE(found.values.size() == alone.values.size());
    for (std::size_t n = 0; n < alone.values.size(); ++n) {
      CHECK(found.values[n] == doctest::Approx(alone.values[n]).epsilon(1e-5));
    }
  }
}

TEST_CASE("blocks that cannot be halved as often are refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Shape shape;
  shape.cells = {24, 20, 1};
  shape.blocks = {2, 1, 1};
  const std::string said =
      message_of([&] { static_cast<void>(make_grids(comm, make_shape(shape), walls(), 4)); });
  CHECK(said.find("has 12 cells along i: for 4 \"levels\" of multigrid it must be 16 or another "
                  "multiple of 8; lower \"levels\" in [scheme]") != std::string::npos);
}
