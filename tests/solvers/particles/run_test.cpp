// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "particles/program/measured.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::fingerprint;
using waters::with;

TEST_CASE("water at rest stays at rest, with the pressure of its depth, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::string sides : {"planes", "particles"}) {
    INFO(sides);
    RunResult result =
        run(comm, case_of(with(waters::at_rest, "[tank]", "[tank]\nsides = \"" + sides + "\"")),
            nullptr);
    CHECK(result.time == doctest::Approx(0.5));
    CHECK(result.num_fluid == 150);
    State& state = result.state;
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      if (state.kinds()[row] == Kind::fluid) {
        const double depth = 0.19 - state.positions()[row][1]; // below the highest particles
        CHECK(state.pressures()[row] == doctest::Approx(9810 * depth).epsilon(1e-3).scale(9810));
        CHECK(std::abs(state.velocities()[3 * row + 1]) < 1e-3);
      }
    }
  }
}

TEST_CASE("disturbed water comes to rest, with the pressure of its depth, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(with(
      with(waters::at_rest, "upper = [0.3, 0.2]", "upper = [0.3, 0.2]\ndisturbance = 0.2"),
      "[time]\nend = 0.5", "[[gauge]]\nlower = [0.04, 0]\nupper = [0.26, 0]\n[time]\nend = 3"));
  RunResult result = run(comm, from, nullptr);
  CHECK(result.num_fluid == 150);
  const Measured measured = measure(comm, from, result.time, result.state);
  CHECK(measured.gauges.at(0) == doctest::Approx(1962).epsilon(0.03)); // 10 particles deep
  CHECK(measured.speed < 0.1); // it is 0.3 where noise feeds itself
}

TEST_CASE("a collapsing column loses no particle and reaches as far as published, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const RunResult result = run(comm, case_of(waters::column), nullptr);
  CHECK(result.num_fluid + result.num_lost == 200);
  CHECK(result.num_lost == 0);
  // Martin and Moyce (1952, doi 10.1098/rsta.1952.0006): 3.22 widths at 2.65 widths' times; here
  // the time is 0.2 s, 2.80, of a column that starts at once
  CHECK(result.front > 0.30);
  CHECK(result.front < 0.39);
}

TEST_CASE("the explicit form has the same bits on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(with(waters::column, "end = 0.2", "end = 0.03\nmethod = \"explicit\""));
  RunResult result = run(comm, from, nullptr);
  const comm::Comm serial;
  RunResult alone = run(serial, from, nullptr);
  CHECK(result.steps == alone.steps);
  CHECK(result.steps > 50);
  CHECK(result.num_fluid == 200);
  CHECK(fingerprint(comm, result.state) == fingerprint(serial, alone.state));
}

namespace {

/// A tank of 0.2 x 0.3 x 0.4 with water 0.25 deep.
const std::string in_space = R"([particles]
dimensions = "3d"
spacing = 0.05
[liquid]
gravity = [0, 0, -9.81]
[tank]
lower = [0, 0, 0]
upper = [0.2, 0.3, 0.4]
open = ["back"]
[[water]]
lower = [0, 0, 0]
upper = [0.2, 0.3, 0.25]
[time]
end = 0.1
)";

} // namespace

TEST_CASE("water in three dimensions stays at rest, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::string sides : {"planes", "particles"}) {
    INFO(sides);
    RunResult result =
        run(comm, case_of(with(in_space, "[tank]", "[tank]\nsides = \"" + sides + "\"")), nullptr);
    CHECK(result.num_fluid == 120);
    State& state = result.state;
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      if (state.kinds()[row] == Kind::fluid) {
        const double depth = 0.225 - state.positions()[row][2];
        CHECK(state.pressures()[row] == doctest::Approx(9810 * depth).epsilon(1e-3).scale(9810));
      }
    }
  }
}

TEST_CASE("the explicit form carries water in three dimensions, with the same bits on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(
      with(in_space, "end = 0.1", "end = 0.05\nmethod = \"explicit\"\nspeed-of-sound = 20"));
  RunResult result = run(comm, from, nullptr);
  const comm::Comm serial;
  RunResult alone = run(serial, from, nullptr);
  CHECK(result.num_fluid == 120);
  CHECK(fingerprint(comm, result.state) == fingerprint(serial, alone.state));
  // it swings as a spring does, by gravity times depth over the speed of sound
  CHECK(measure(comm, from, result.time, result.state).speed < 2 * 9.81 * 0.25 / 20);
}

TEST_CASE("what a case cannot mean is refused with its place") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto refusal = [&comm](const std::string& text) {
    return message_of([&] { run(comm, case_of(text), nullptr); });
  };
  CHECK(refusal(with(waters::at_rest, "[tank]", "[tanks]"))
            .find("case.toml:5: there is no table \"tanks\"; did you mean \"tank\"?") !=
        std::string::npos);
  CHECK(refusal(with(waters::at_rest, "upper = [0.3, 0.4]", "upper = [0.305, 0.4]"))
            .find("case.toml:5: the tank is 15.25 spacings long in direction 1; make it a whole "
                  "number") != std::string::npos);
  CHECK(refusal(with(waters::at_rest, "upper = [0.3, 0.2]", "upper = [0.4, 0.2]"))
            .find("the water reaches out of the tank in direction 1") != std::string::npos);
  CHECK(refusal(with(waters::at_rest, "[time]",
                     "[[obstacle]]\nlower = [0.1, 0]\nupper = [0.2, 0.1]\n[time]"))
            .find("the water is inside of an obstacle at (0.11, 0.01, 0)") != std::string::npos);
  CHECK(refusal(with(waters::at_rest, "open = [\"top\"]", "open = [\"lid\"]"))
            .find("the tank has no side \"lid\"") != std::string::npos);
}

TEST_CASE("particles that leave through an open side are an error, or removed and counted") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string rising =
      with(with(waters::column, "upper = [0.1, 0.2]", "upper = [0.1, 0.2]\nvelocity = [0, 4]"),
           "outside = \"delete\"\n", "");
  CHECK(message_of([&] {
          run(comm, case_of(rising), nullptr);
        }).find("left the tank through an open side") != std::string::npos);
  const RunResult result =
      run(comm, case_of(with(rising, "open = [\"top\"]", "open = [\"top\"]\noutside = \"delete\"")),
          nullptr);
  CHECK(result.num_lost > 0);
  CHECK(result.num_fluid + result.num_lost == 200);
}
