// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the answers and failures of calls.
#include "isthmus/participant/session/noted_call.hpp"
#include "isthmus/base/exception.hpp"
#include "message_of.hpp"
#include "participant/setup/calls.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <string>

using namespace couple;
using isthmus::error_of;
using isthmus::participant::noted;
using isthmus::participant::Session;
using isthmus::participant::SolverData;

namespace {

/// Participant A runs, makes a call that throws `failure`, goes on as if nothing had happened, and
/// ends before its time. What A and B see of it.
template <typename Failure>
Outcome play_failure(const Failure& failure) {
  const Role a{"A", [&failure](const Seat& seat) {
                 bool met = false;
                 std::string error;
                 {
                   Session session(seat.participant, seat.config, seat.launch, met);
                   for (const double x : {0.0, 2.0}) {
                     session.provided().set_vertex("A-Mesh", std::array{x, 0.0});
                   }
                   session.initialize();
                   error = error_of([&] { noted(session, [&](auto&) { throw failure; }); });
                 }
                 throw isthmus::Error(error);
               }};
  const Role b{"B", [](const Seat& seat) {
                 Solver solver(seat);
                 solver.start();
                 solver.finish();
               }};
  return play(scenario().xml(), {a, b}, in_threads);
}

} // namespace

TEST_CASE("a call gives what it gives, a reference, too" * on_ranks(1, 1)) {
  const Role a{"A", [](const Seat& seat) {
                 bool met = false;
                 Session session(seat.participant, seat.config, seat.launch, met);
                 CHECK(noted(session, [](Session&) { return 7; }) == 7);
                 const auto data_of = [](Session& s) -> SolverData& { return s.data(); };
                 CHECK(&noted(session, data_of) == &session.data());
                 session.leave("enough");
               }};
  CHECK(play(scenario().xml(), {a}, in_threads).all_errors().empty());
}

TEST_CASE("whatever a call throws is an Error, which partners get where it ends the solver" *
          on_ranks(1, 1)) {
  for (const Outcome& outcome :
       {play_failure(isthmus::Error("units")), play_failure(std::runtime_error("units"))}) {
    for (const char* participant : {"A", "B"}) {
      CAPTURE(participant);
      check_words(outcome.errors.at(participant), {"units"});
    }
  }
}
