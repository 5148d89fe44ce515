// SPDX-License-Identifier: BSD-3-Clause
// The parts of a session that need no partner: which calls a state takes, the names that calls
// give, sections of the profile, and what the calls themselves are named.
#include "isthmus/base/exception.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/participant/call_names.hpp"
#include "isthmus/participant/session/call_order.hpp"
#include "isthmus/participant/session/call_profile.hpp"
#include "isthmus/participant/session/declared.hpp"
#include "message_of.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace isthmus;
using namespace isthmus::participant;

namespace {

constexpr CallNames numbers(
    "c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24 c25 "
    "c26",
    "a face");

} // namespace

TEST_CASE("each call has a name, in the order of the enumerators") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < num_calls; ++i) {
    names.insert(native_call_names[static_cast<Call>(i)]);
    CHECK(numbers[static_cast<Call>(i)] == "c" + std::to_string(i));
  }
  CHECK(names.size() == num_calls);
  CHECK(names.count("") == 0);
  CHECK(numbers.interface() == "a face");
  CHECK(native_call_names.interface().empty());
  CHECK(native_call_names[Call::save_restart] == "save_restart");
  CHECK(native_call_names[Call::set_mesh_edges] == "set_mesh_edges");
  CHECK(native_call_names[Call::stop_last_profiling_section] == "stop_last_profiling_section");
}

TEST_CASE("a state refuses calls by their names") {
  CallOrder order;
  CHECK(order.is(CallOrder::Stage::defining));
  CHECK(contains(error_of([&] { order.check_running("f"); }),
                 "f() cannot be called before initialize"));
  CHECK(error_of([&] { order.check_not_finalized("f"); }).empty());
  order.enter(CallOrder::Stage::running);
  CHECK(error_of([&] { order.check_running("f"); }).empty());
  order.enter(CallOrder::Stage::finalized);
  CHECK(contains(error_of([&] { order.check_running("f"); }),
                 "f() cannot be called after finalize()"));
  order.enter(CallOrder::Stage::failed);
  CHECK(
      contains(error_of([&] { order.check_running("f"); }), "f() cannot be called after an error"));
  CHECK(order.last_failure().empty());
  order.note_failure("units");
  CHECK(order.last_failure() == "units");
  order.forget_failure();
  CHECK(order.last_failure().empty());
}

TEST_CASE("a hundred steps that are refused one after the other are too many") {
  CallOrder order;
  for (int refused = 1; refused < 100; ++refused) {
    CHECK_FALSE(order.refuse_step());
  }
  order.forget_failure(); // one was taken
  for (int refused = 1; refused < 100; ++refused) {
    CHECK_FALSE(order.refuse_step());
  }
  CHECK(order.refuse_step());
}

TEST_CASE("names that calls give are those of the configuration") {
  const couple::Scenario scenario{{{"A", "B", "serial-explicit"}},
                                  {{.from = "A", .to = "B", .data = "Heat"}}};
  const config::Configuration configuration = config::parse(scenario.xml(), "c.xml");
  const Declared b(configuration, *configuration.find_participant("B"), native_call_names);
  const couple::Flow& flow = scenario.flows[0];
  CHECK(b.mesh("f", flow.to_mesh()).name == flow.to_mesh());
  const std::string unknown = error_of([&] { (void)b.mesh("f", "Nowhere"); });
  CHECK(unknown.rfind("f(): mesh \"Nowhere\" is not known to participant \"B\"", 0) == 0);
  CHECK(contains(unknown, flow.to_mesh()));
  CHECK(contains(error_of([&] { (void)b.mesh_with("f", flow.to_mesh(), "Haet"); }), "\"Heat\""));
  CHECK(b.mesh_of_solver("f", flow.to_mesh(), "Heat", config::Direction::read).name ==
        flow.to_mesh());
  CHECK(contains(error_of([&] {
                   (void)b.mesh_of_solver("f", flow.to_mesh(), "Heat", config::Direction::write);
                 }),
                 "<write-data name=\"Heat\""));
  CHECK(contains(error_of([&] { (void)b.accessible("f", flow.to_mesh()); }),
                 "needs a mesh that it "));
  CHECK_FALSE(b.sends_initial_data());
}

TEST_CASE("sections of the profile are closed in the calls that open them") {
  const comm::Comm comm;
  const Log log;
  CallProfile profile(numbers, comm, log);
  CHECK(contains(error_of([&] { profile.stop_section(); }), "c26() was called"));
  profile.start_section("mesh");
  CHECK(contains(error_of([&] { profile.check_no_open_sections("advance"); }),
                 "\"mesh\" is still open; stop it before advance()"));
  profile.stop_section();
  CHECK(error_of([&] { profile.check_no_open_sections("advance"); }).empty());
  CHECK(contains(error_of([&] { profile.start_section("a/b"); }), "a/b"));
}
