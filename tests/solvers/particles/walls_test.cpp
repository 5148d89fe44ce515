// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "particles/program/measured.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::fingerprint;
using waters::with;

namespace {

/// The places of the wall particles within a box of the lattice, by number, on all ranks.
std::vector<exchange::Position> walls_of(const comm::Comm& comm, State& state, GlobalIndex first,
                                         GlobalIndex end) {
  std::vector<exchange::Position> own;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    const GlobalIndex id = state.particles().ids()[row];
    if (id >= first && id < end && state.kinds()[row] != Kind::fluid) {
      own.push_back(state.positions()[row]);
    }
  }
  return comm::allgather(comm, std::span<const exchange::Position>(own)).values;
}

} // namespace

TEST_CASE("a wall that moves in lifts the water as it must, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  // the water is 0.24 wide and 0.2 deep, the wall comes 0.04 in
  const Case from = case_of(with(with(waters::at_rest, "lower = [0, 0]\nupper = [0.3, 0.2]",
                                      "lower = [0.06, 0]\nupper = [0.3, 0.2]"),
                                 "[time]\nend = 0.5",
                                 "[[obstacle]]\nlower = [0, 0]\nupper = [0.06, 0.36]\n"
                                 "velocity = [0.04, 0]\n[[gauge]]\nlower = [0.14, 0]\n"
                                 "upper = [0.26, 0]\n[time]\nend = 1"));
  RunResult result = run(comm, from, nullptr);
  CHECK(result.num_fluid == 120);
  CHECK(result.front < 0.3 + 1e-2);
  const Measured measured = measure(comm, from, result.time, result.state);
  CHECK(measured.gauges.at(0) == doctest::Approx(9810 * 0.24).epsilon(0.04));
}

TEST_CASE("a wall that swings is where it must be, and the explicit form has the same bits") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(with(waters::column, "[time]\nend = 0.2",
                                 "[[obstacle]]\nlower = [0.3, 0.1]\nupper = [0.34, 0.14]\n"
                                 "amplitude = [0.02, 0.01]\nfrequency = 25\n[time]\nend = 0.03\n"
                                 "method = \"explicit\""));
  RunResult result = run(comm, from, nullptr);
  const comm::Comm serial;
  RunResult alone = run(serial, from, nullptr);
  CHECK(fingerprint(comm, result.state) == fingerprint(serial, alone.state));
  // places: 48 in the second direction, 4 layers of the tank's walls below
  const auto corner = walls_of(comm, result.state, (30 + 4) * 48 + 10 + 4, (30 + 4) * 48 + 11 + 4);
  REQUIRE(corner.size() == 1);
  const double swing = std::sin(2 * std::numbers::pi * 25 * 0.03);
  CHECK(corner[0][0] == doctest::Approx(0.305 + 0.02 * swing).epsilon(1e-9));
  CHECK(corner[0][1] == doctest::Approx(0.105 + 0.01 * swing).epsilon(1e-9));
}

TEST_CASE("a run ends when all water has left, and ranks without particles take part") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string thrown =
      with(with(waters::column, "upper = [0.1, 0.2]", "upper = [0.02, 0.01]\nvelocity = [0, 8]"),
           "end = 0.2", "end = 5");
  const RunResult result = run(comm, case_of(thrown), nullptr);
  CHECK(result.num_fluid == 0);
  CHECK(result.num_lost == 2);
  CHECK(result.time < 0.2);

  const Case few = case_of(R"([particles]
spacing = 0.01
[liquid]
gravity = [0, -9.81]
[tank]
lower = [0, 0]
upper = [0.1, 0.1]
open = ["left", "right", "bottom", "top"]
outside = "delete"
[[water]]
lower = [0.05, 0.05]
upper = [0.06, 0.06]
[time]
end = 0.05
)");
  RunResult fall = run(comm, few, nullptr); // one particle, and no wall
  CHECK(fall.num_fluid == 1);
  for (std::size_t row = 0; row < fall.state.num_owned(); ++row) {
    CHECK(fall.state.velocities()[3 * row + 1] == doctest::Approx(-9.81 * 0.05));
  }
}

TEST_CASE("steps above the limit of Courant, and obstacles without sense, are refused") {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { static_cast<void>(case_of(text)); });
  };
  CHECK(refusal(with(waters::column, "end = 0.2", "end = 0.2\ncourant = 1.5"))
            .find("case.toml:15: particles that go 1.5 spacings in a step pass their neighbours; "
                  "\"courant\" is at most 1") != std::string::npos);
  CHECK(refusal(with(waters::column, "[time]",
                     "[[obstacle]]\nlower = [0.2, 0]\nupper = [0.3, 0.1]\namplitude = [0.1]\n"
                     "[time]"))
            .find("needs a \"frequency\"") != std::string::npos);
  CHECK(refusal(with(waters::column, "[time]",
                     "[[obstacle]]\nlower = [0.2, 0]\nupper = [0.22, 0.1]\n[time]"))
            .find("case.toml:13: the obstacle is 2 spacings thick in direction 1; it needs 3") !=
        std::string::npos);
  CHECK(refusal(with(waters::column, "upper = [0.1, 0.2]", "upper = [0.1, 0.2]\ndisturbance = 0.5"))
            .find("particles that are 0.5 spacings off the lattice may meet") != std::string::npos);
  CHECK(refusal(waters::column + "[coupling]\nparticipant = \"Fluid\"\n")
            .find("[coupling] needs \"configuration\"") != std::string::npos);
}

TEST_CASE("a vortex between walls on which it slips decays as it must, and has no surface") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(R"([particles]
spacing = 0.05
[liquid]
viscosity = 0.05
[tank]
lower = [0, 0]
upper = [1, 1]
[[water]]
lower = [0, 0]
upper = [1, 1]
vortex = 1
[time]
end = 0.3
)");
  RunResult result = run(comm, from, nullptr);
  const Measured measured = measure(comm, from, result.time, result.state);
  const double exact = 250 * std::exp(-4 * 0.05 * std::numbers::pi * std::numbers::pi * 0.3);
  CHECK(measured.energy == doctest::Approx(exact).epsilon(0.08));
  CHECK(measured.num_fluid == 400);
}
