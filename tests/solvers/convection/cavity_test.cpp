// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "convection/program/run.hpp"
#include "isthmus/exchange/owned_nodes.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

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

TEST_CASE("an enclosed flow is found and said once, and its mean pressure is zero") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::FILE* const lines = std::tmpfile();
  const Case from = case_of(with(cavity, "steps = 30", "steps = 3"));
  const RunResult result = run(comm, from, "", lines);
  std::rewind(lines);
  std::string text(10000, ' ');
  text.resize(std::fread(text.data(), 1, text.size(), lines));
  std::fclose(lines);
  const std::string words = "the flow is enclosed: the mean pressure is made zero\n";
  const std::size_t at = text.find(words);
  CHECK((at != std::string::npos) == comm.is_root());
  if (comm.is_root()) {
    CHECK(text.find(words, at + 1) == std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 1 + 3); // head, words, steps
  }
  const Mesh mesh = make_box(comm, from.mesh.box);
  std::vector<double> pressure;
  for (std::size_t n = 0; n < result.temperature.size(); ++n) {
    pressure.push_back(result.values[4 * n + 3]);
  }
  const std::vector<double> ones(pressure.size(), 1);
  CHECK(exchange::owned_dot(comm, mesh.plan, 1, pressure, pressure) > 1);
  CHECK(std::abs(exchange::owned_dot(comm, mesh.plan, 1, pressure, ones)) < 1e-8);
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
  has(refusal(with(cavity, "[mesh]", "[mesh]\norder = \"best\"")), "cannot be \"best\"");
  const std::string coupled = cavity + "[coupling]\nconfiguration = \"config.xml\"\n";
  has(refusal(coupled), "[coupling] needs \"group\"");
  has(refusal(coupled + "group = \"z-min\"\n"),
      "case.toml:28: the group \"z-min\" of [coupling] needs a [[boundary]] with the temperature");
  has(refusal(with(cavity, "0.71", "nan")), "case.toml:6: \"prandtl\" of [fluid] must be");
  has(refusal(with(cavity, "[1, 0.1, 1]", "[1, inf, 1]")),
      "case.toml:2: \"box\" of [mesh] must be");
  has(refusal(with(cavity, "step = 0.1", "step = 0")), "case.toml:8: \"step\" of [time] must be");
}

TEST_CASE("where Newton's method diverges, stalls or has not ended, the error says so, and where") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(cavity, "[10, 1, 10]", "[6, 1, 6]"));
  from.time.steps = 1;
  const auto has = [&](const std::string& part) {
    const std::string found = message_of([&] { static_cast<void>(run(comm, from, "", nullptr)); });
    INFO(found);
    CHECK(found.find("flow: Newton's method " + part) != std::string::npos);
    CHECK(found.find("; it is largest in the ") != std::string::npos);
    return found;
  };
  from.solver.newton = {1e-12, 0, 1, 1e-3}; // one iteration, of which the first is a good one
  CHECK(has("has not ended yet: residual ").find("allow more \"iterations\"") != std::string::npos);
  from.solver.preparation = Preparation::blocks; // the same on any ranks
  from.solver.newton = {1e-12, 0, 2, 0.9};       // linear systems that are hardly solved
  const std::string stalled = has("stalls: residual ");
  CHECK(stalled.find(" after 2 iterations, 0.") != std::string::npos);
  CHECK(stalled.find("take a smaller step, or smaller elements there") != std::string::npos);
  from.conditions[3].velocity = {1, 0, 0}; // a lid, from rest, almost without viscosity
  from.fluid.viscosity = 1e-6;
  from.fluid.buoyancy = {};
  from.time.step = 1e6;
  from.solver.preparation = Preparation::multigrid;
  from.solver.newton = {1e-3, 0, 1, 0.1};
  has("diverges: residual ");
}

TEST_CASE("the flow is the same in every order of the nodes and with every way of summing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(cavity, "[10, 1, 10]", "[7, 2, 6]"));
  from.solver.newton = {1e-11, 1e-14, 20, 1e-4};
  from.solver.heat_tolerance = 1e-12;
  from.time.steps = 3;
  const RunResult first = run(comm, from, "", nullptr);
  const auto check_same = [&](const char* what) {
    const RunResult other = run(comm, from, "", nullptr);
    INFO(what);
    for (std::size_t n = 0; n < first.heat.size(); ++n) {
      CHECK(other.heat[n] == doctest::Approx(first.heat[n]).epsilon(1e-8));
    }
    CHECK(other.exchange.sums > 0);
    CHECK(other.exchange.seconds <= other.seconds);
  };
  for (const NodeOrder order :
       {NodeOrder::reverse_cuthill_mckee, NodeOrder::hilbert, NodeOrder::levels_along_hilbert}) {
    from.mesh.order = order;
    check_same("another order");
  }
  for (const exchange::SumStrategy sums :
       {exchange::SumStrategy::allreduce, exchange::SumStrategy::allgather,
        exchange::SumStrategy::two_stage, exchange::SumStrategy::one_round,
        exchange::SumStrategy::shared_memory}) {
    from.mesh.sums = sums;
    check_same(std::string(exchange::to_string(sums)).c_str());
  }
}
