// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fingerprint.hpp"
#include "particles/program/run.hpp"
#include "working_folder.hpp"

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

} // namespace waters
