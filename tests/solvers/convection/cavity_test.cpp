// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "convection/program/run.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace isthmus;
using namespace isthmus::convection;

TEST_CASE("heat crosses the cavity of de Vahl Davis as published, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const RunResult result = run(comm, case_of(cavity), "", nullptr);
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
    return message_of([&] { static_cast<void>(run(comm, case_of(text), "", nullptr)); });
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
  has(refusal(with(cavity, "0.71", "nan")), "case.toml:6: \"prandtl\" of [fluid] must be");
  has(refusal(with(cavity, "[1, 0.1, 1]", "[1, inf, 1]")),
      "case.toml:2: \"box\" of [mesh] must be");
  has(refusal(with(cavity, "step = 0.1", "step = 0")), "case.toml:8: \"step\" of [time] must be");
}
