// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/inflow.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "particles/program/measured.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::fingerprint;
using waters::with;

namespace {

/// Two particles high, near the bottom of the left side.
const std::string inflow = "[[inflow]]\nlower = [0, 0.04]\nupper = [0, 0.08]\nspeed = 0.5\n[time]";

} // namespace

TEST_CASE("what comes in fills the tank, with the pressure of the new depth, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from =
      case_of(with(waters::at_rest, "[time]\nend = 0.5",
                   "[[gauge]]\nlower = [0.1, 0]\nupper = [0.26, 0]\n" + inflow + "\nend = 0.81"));
  RunResult result = run(comm, from, nullptr);
  // 0.405 m of water, in whole layers of two particles 0.02 apart
  const std::int64_t poured = comm::allreduce(comm, result.num_poured, comm::Op::sum);
  CHECK(poured == 2 * 20);
  CHECK(result.num_fluid == 150 + poured);
  CHECK(result.num_lost == 0);
  const double depth = 0.2 + 0.405 * 0.04 / 0.3;
  const Measured measured = measure(comm, from, result.time, result.state);
  CHECK(measured.gauges.at(0) == doctest::Approx(9810 * depth).epsilon(0.06)); // it still moves
}

TEST_CASE("a jet into an empty tank has the speed with which it comes in, and a way out") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(R"([particles]
spacing = 0.02
[tank]
lower = [0, 0]
upper = [0.4, 0.2]
open = ["right", "top"]
outside = "delete"
[[inflow]]
lower = [0, 0.08]
upper = [0, 0.12]
speed = 1
[time]
end = 1.001
)");
  RunResult result = run(comm, from, nullptr);
  CHECK(comm::allreduce(comm, result.num_poured, comm::Op::sum) == 2 * 50);
  CHECK(result.num_fluid + result.num_lost == 100);
  CHECK(result.num_fluid >= 2 * 20); // as many as are in the tank at that speed
  CHECK(result.num_fluid <= 2 * 22);
  for (std::size_t row = 0; row < result.state.num_owned(); ++row) {
    if (result.state.kinds()[row] == Kind::fluid) {
      CHECK(result.state.velocities()[3 * row] == doctest::Approx(1).epsilon(0.01));
      CHECK(std::abs(result.state.velocities()[3 * row + 1]) < 0.01);
    }
  }
}

TEST_CASE("fluid that comes in has the same bits on any ranks in the explicit form") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from =
      case_of(with(waters::at_rest, "[time]\nend = 0.5",
                   inflow + "\nend = 0.09\nmethod = \"explicit\"\nspeed-of-sound = 20"));
  RunResult result = run(comm, from, nullptr);
  const comm::Comm serial;
  RunResult alone = run(serial, from, nullptr);
  CHECK(alone.num_poured == 4);
  CHECK(result.num_fluid == 154);
  CHECK(fingerprint(comm, result.state) == fingerprint(serial, alone.state));
}

TEST_CASE("an inflow that is no part of a wall, or fills a closed tank, is refused") {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { static_cast<void>(case_of(text)); });
  };
  const std::string good = with(waters::at_rest, "[time]", inflow);
  CHECK(refusal(with(good, "upper = [0, 0.08]", "upper = [0.1, 0.08]"))
            .find("case.toml:12: an [[inflow]] is a part of a side of the tank") !=
        std::string::npos);
  CHECK(refusal(with(good, "open = [\"top\"]", "open = [\"top\", \"left\"]"))
            .find("fluid comes in through a wall, and that side of the tank is open") !=
        std::string::npos);
  CHECK(refusal(with(good, "open = [\"top\"]\n", ""))
            .find("what comes in through an [[inflow]] fills a tank without an open side") !=
        std::string::npos);
  CHECK(refusal(with(good, "speed = 0.5", "speed = -1")).find("\"speed\"") != std::string::npos);
}
