// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"
#include "flow/numerics/multigrid.hpp"
#include "flow/numerics/shared_work.hpp"
#include "flows.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <vector>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// Values after some iterations of three snapshots on so many threads.
std::vector<double> values_on(const comm::Comm& comm, const std::string& threads) {
  const Environment few("ISTHMUS_THREADS", threads);
  Shape shape;
  shape.kind = "cylinder";
  shape.cells = {128, 64, 1};
  shape.radius = 10;
  GridSettings settings{{boundary("wall", BoundaryKind::no_slip, {"*:j-min"}),
                         boundary("far", BoundaryKind::far_field, {"*:j-max"})},
                        {},
                        1e-6};
  const auto grids = make_grids(comm, make_shape(shape), settings, 2);
  Physics physics;
  physics.gas.viscosity = 0.01;
  const TimeTerms time(grids.front(), {TimeKind::harmonic, 0, 1, 0.1});
  Solution solution(comm, grids.front(), physics, 0.2, time.num_snapshots());
  solution.set_attitudes({{}, {0.1, -0.01}, {-0.1, 0.01}});
  solution.set_undisturbed();
  Multigrid multigrid(comm, {.levels = 2}, grids, solution, time);
  for (int n = 0; n < 3; ++n) {
    multigrid.iterate();
  }
  if (!grids.front().own.empty()) {
    CHECK(solution.busy().front() > 0);
  }
  return solution.conserved();
}

} // namespace

TEST_CASE("any number of threads makes the same bits") {
  const comm::Comm comm; // alone
  const std::vector<double> expected = values_on(comm, "1");
  CHECK(expected.size() / num_conserved > least_shared);
  for (const char* threads : {"2", "5"}) {
    CHECK(values_on(comm, threads) == expected);
  }
}

TEST_CASE("work is shared once each, and its processor time is added up") {
  for (const char* threads : {"1", "4"}) {
    const Environment few("ISTHMUS_THREADS", threads);
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{99}}) {
      std::vector<std::atomic<int>> calls(count);
      std::vector<double> busy(count, 0.0);
      share(
          count, least_shared, [&busy](std::size_t n) -> double& { return busy[n]; },
          [&calls](std::size_t n) { ++calls[n]; });
      double sum = 0;
      share_parts(count, least_shared, sum, [&calls](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
          ++calls[n];
        }
      });
      CHECK(std::all_of(calls.begin(), calls.end(), [](const auto& of) { return of == 2; }));
      CHECK(std::all_of(busy.begin(), busy.end(), [](double time) { return time >= 0; }));
      CHECK((sum > 0) == (count > 0));
    }
  }
  const Environment wrong("ISTHMUS_THREADS", "many");
  CHECK(threads_for(least_shared - 1) == 1); // which nobody asks for
  CHECK(message_of([] {
          static_cast<void>(threads_for(least_shared));
        }).find("ISTHMUS_THREADS=\"many\" is no number of threads") != std::string::npos);
}
