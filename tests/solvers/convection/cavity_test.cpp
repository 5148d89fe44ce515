// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/run.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// The heated cavity of de Vahl Davis (1983, doi 10.1002/fld.1650030305) at the Rayleigh number
/// 1,000, a slab of one cell.
const std::string cavity = R"([mesh]
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

Case case_of(const std::string& text) {
  const WorkingFolder folder;
  std::ofstream("case.toml") << text;
  return read_case("case.toml");
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

} // namespace

TEST_CASE("heat crosses the cavity of de Vahl Davis as published, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const RunResult result = run(comm, case_of(cavity), nullptr);
  CHECK(result.is_steady);
  CHECK(!result.has_level);
  constexpr double published = 1.118;
  const double nusselt = 10 * result.heat[0]; // the slab is 0.1 deep
  INFO("Nusselt number ", nusselt);
  CHECK(nusselt == doctest::Approx(published).epsilon(0.02));
  CHECK(result.heat[0] + result.heat[1] == doctest::Approx(0).epsilon(1e-5));
}

TEST_CASE("cases that cannot be solved are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto refusal = [&comm](const std::string& text) {
    return message_of([&] { static_cast<void>(run(comm, case_of(text), nullptr)); });
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(refusal(with(cavity, "\"z-min\"", "\"floor\"")),
      "case.toml:16: the mesh has no group \"floor\"");
  has(refusal(with(cavity, "[[boundary]]\ngroup = \"z-min\"\n", "")),
      "group \"z-min\" of the mesh has no condition");
  has(refusal(with(cavity, "slip-y", "slip-q")), "cannot be \"slip-q\"");
  has(refusal(with(cavity, "prandtl = 0.71\n", "")), "come together");
  has(refusal(with(cavity, "[time]", "[tame]")), "there is no table \"tame\"");
}
