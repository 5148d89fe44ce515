// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/program/case.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

namespace isthmus::convection {

/// The heated cavity of de Vahl Davis (1983, doi 10.1002/fld.1650030305) at the Rayleigh number
/// 1,000, a slab of one cell.
inline const std::string cavity = R"([mesh]
box = [1, 0.1, 1]
cells = [10, 1, 10]
[fluid]
rayleigh = 1000
prandtl = 0.71
[time]
step = 0.1
steps = 30
[[boundary]]
group = "x-min"
temperature = 0.5
[[boundary]]
group = "x-max"
temperature = -0.5
[[boundary]]
group = "z-min"
[[boundary]]
group = "z-max"
[[boundary]]
group = "y-min"
kind = "slip-y"
[[boundary]]
group = "y-max"
kind = "slip-y"
)";

inline Case case_of(const std::string& text) {
  const WorkingFolder folder;
  std::ofstream("case.toml") << text;
  return read_case("case.toml");
}

inline std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

} // namespace isthmus::convection
