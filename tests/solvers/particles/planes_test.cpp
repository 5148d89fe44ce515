// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "particles/program/measured.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::with;

namespace {

/// The particles of all ranks with numbers below `end`: number, place.
struct Place {
  GlobalIndex id;
  exchange::Position at;
};
std::vector<Place> fluid_of(const comm::Comm& comm, State& state) {
  std::vector<Place> own;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (state.kinds()[row] == Kind::fluid) {
      own.push_back({state.particles().ids()[row], state.positions()[row]});
    }
  }
  std::vector<Place> all = comm::allgather(comm, std::span<const Place>(own)).values;
  std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.id < b.id; });
  return all;
}

/// A block of 20 x 5 particles that slides along the bottom without gravity.
const std::string sliding = R"([particles]
spacing = 0.01
[tank]
lower = [0, 0]
upper = [0.8, 0.2]
open = ["top"]
[[water]]
lower = [0.1, 0]
upper = [0.3, 0.05]
velocity = [1, 0]
[time]
end = 0.2
)";

} // namespace

TEST_CASE("a block that slides along the bottom keeps its speed, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  RunResult result = run(comm, case_of(sliding), nullptr);
  const Measured measured = measure(comm, case_of(sliding), result.time, result.state);
  CHECK(measured.speed == doctest::Approx(1).epsilon(1e-12));
  CHECK(measured.energy == doctest::Approx(500 * 0.2 * 0.05).epsilon(1e-12));
  CHECK(measured.front == doctest::Approx(0.5).epsilon(1e-12));
  const Case of_particles = case_of(with(sliding, "[tank]", "[tank]\nsides = \"particles\""));
  RunResult rough = run(comm, of_particles, nullptr);
  const Measured other = measure(comm, of_particles, rough.time, rough.state);
  CHECK(other.speed == doctest::Approx(1).epsilon(0.02)); // it was 1.19
  CHECK(other.front == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("a block that hits a plane moves as one of two that meet, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string two = R"([particles]
spacing = 0.01
[tank]
lower = [-0.2, -0.2]
upper = [0.2, 0.2]
open = ["left", "right", "bottom", "top"]
[[water]]
lower = [-0.08, -0.05]
upper = [0, 0.05]
velocity = [1, 0]
[[water]]
lower = [0, -0.05]
upper = [0.08, 0.05]
velocity = [-1, 0]
[time]
end = 1
step = 1e-3
steps = 25
tolerance = 1e-11
)";
  const std::string one = with(
      with(with(two, "[[water]]\nlower = [0, -0.05]\nupper = [0.08, 0.05]\nvelocity = [-1, 0]\n",
                ""),
           "upper = [0.2, 0.2]", "upper = [0, 0.2]"),
      "\"right\", ", "");
  RunResult alone = run(comm, case_of(one), nullptr), pair = run(comm, case_of(two), nullptr);
  CHECK(alone.time == doctest::Approx(pair.time).epsilon(1e-5));
  const std::vector<Place> found = fluid_of(comm, alone.state), all = fluid_of(comm, pair.state);
  REQUIRE(found.size() == 80);
  REQUIRE(all.size() == 160);
  double widest = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    REQUIRE(found[n].id == all[n].id); // those on the left have the lower numbers
    // 1 % of a spacing: rounding grows where particles meet
    CHECK(std::abs(found[n].at[0] - all[n].at[0]) < 1e-4);
    CHECK(std::abs(found[n].at[1] - all[n].at[1]) < 1e-4);
    widest = std::max(widest, found[n].at[1]);
  }
  CHECK(widest > 0.055); // the block was 0.05 high on both sides
}

TEST_CASE("planes nearer to each other than particles act, are refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string narrow =
      with(with(waters::at_rest, "upper = [0.3, 0.4]", "upper = [0.06, 0.4]"), "upper = [0.3, 0.2]",
           "upper = [0.06, 0.2]");
  CHECK(message_of([&] { run(comm, case_of(narrow), nullptr); })
            .find("case.toml:5: the tank is 3 spacings long in direction 1, and particles act 3.1 "
                  "spacings far; make it longer than that") != std::string::npos);
}
