// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"
#include "particles/program/run.hpp"
#include "working_folder.hpp"

#include <cstring>
#include <fstream>
#include <string>

/// Cases of water in a tank.
namespace waters {

/// A tank of 0.3 x 0.4 with water 0.2 deep.
inline const std::string at_rest = R"([particles]
spacing = 0.02
[liquid]
gravity = [0, -9.81]
[tank]
lower = [0, 0]
upper = [0.3, 0.4]
open = ["top"]
[[water]]
lower = [0, 0]
upper = [0.3, 0.2]
[time]
end = 0.5
)";

/// A column of the width 0.1 and twice as high in a tank five times as long.
inline const std::string column = R"([particles]
spacing = 0.01
[liquid]
gravity = [0, -9.81]
[tank]
lower = [0, 0]
upper = [0.5, 0.4]
open = ["top"]
outside = "delete"
[[water]]
lower = [0, 0]
upper = [0.1, 0.2]
[time]
end = 0.2
)";

inline isthmus::mps::Case case_of(const std::string& text) {
  const WorkingFolder folder;
  std::ofstream("case.toml") << text;
  return isthmus::mps::read_case("case.toml");
}

inline std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

/// Collective. A sum over the bits of all positions and velocities, whatever rank they are on.
inline std::uint64_t fingerprint(const isthmus::comm::Comm& comm, isthmus::mps::State& state) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    auto factor = 2 * static_cast<std::uint64_t>(state.particles().ids()[row]) + 1;
    for (std::size_t d = 0; d < 2; ++d) {
      for (const double value : {state.positions()[row][d], state.velocities()[3 * row + d]}) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        sum += factor * bits;
        factor *= 0x9e3779b97f4a7c15U;
      }
    }
  }
  return isthmus::comm::allreduce(comm, sum, isthmus::comm::Op::sum);
}

} // namespace waters
