// SPDX-License-Identifier: BSD-3-Clause
// What a solver owes: to ask for checkpoints that are due. Asking counts, whatever it does then.
#include "participant/setup/calls.hpp"

#include "isthmus/base/exception.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

using namespace couple;

namespace {

constexpr int iterations = 2;
constexpr int windows = 2;

Scenario of_kind(const std::string& kind) {
  Scheme scheme{.first = "A", .second = "B", .kind = kind, .max_windows = windows};
  if (scheme.is_implicit()) {
    scheme.control = "<max-iterations value=\"" + std::to_string(iterations) + "\"/>";
  }
  return {.schemes = {scheme}, .flows = both_ways(false, false)};
}

/// "" if the step is taken.
std::string refusal(isthmus::Participant& participant) {
  return isthmus::error_of([&] { participant.advance(1); });
}

/// Steps first, asks when it is refused, and counts the refusals of both kinds.
void ask_late(const Seat& seat) {
  Solver solver(seat);
  solver.start();
  isthmus::Participant& participant = solver.participant;
  double unwritten = 0;
  double unread = 0;
  while (participant.is_coupling_ongoing()) {
    std::string error = refusal(participant);
    if (error.find("a checkpoint has to be written") != std::string::npos) {
      ++unwritten;
      CHECK(participant.requires_writing_checkpoint());
      error = refusal(participant);
    } else if (error.find("the checkpoint has to be read") != std::string::npos) {
      ++unread;
      CHECK(participant.requires_reading_checkpoint());
      error = refusal(participant);
    }
    CHECK(error == "");
  }
  CHECK(participant.max_time_step_size() == 0);
  seat.put(seat.participant, seat.launch.rank, {unwritten, unread});
  participant.finalize();
}

/// Asks before each step, and is told the same as often as it asks.
void ask_in_time(const Seat& seat) {
  Solver solver(seat);
  solver.start();
  isthmus::Participant& participant = solver.participant;
  double written = 0;
  double read = 0;
  while (participant.is_coupling_ongoing()) {
    for (int twice = 0; twice < 2; ++twice) {
      written += participant.requires_writing_checkpoint() ? 0.5 : 0;
    }
    CHECK(refusal(participant) == "");
    for (int twice = 0; twice < 2; ++twice) {
      read += participant.requires_reading_checkpoint() ? 0.5 : 0;
    }
  }
  seat.put(seat.participant, seat.launch.rank, {written, read});
  participant.finalize();
}

} // namespace

TEST_CASE("a step is refused while a checkpoint is due that was not asked for, on all ranks") {
  for (const std::string kind :
       {"serial-implicit", "parallel-implicit", "serial-explicit", "parallel-explicit"}) {
    const bool implicit = kind.ends_with("implicit");
    const std::vector<double> expected{implicit ? windows : 0.0,
                                       implicit ? windows * (iterations - 1.0) : 0.0};
    CAPTURE(kind);
    for (const Deal& deal : deals(2)) {
      const Table table = run(of_kind(kind).xml(), {{"A", ask_late}, {"B", ask_in_time}}, deal);
      for (const char* name : {"A", "B"}) {
        for (const auto& [rank, counted] : table.at(name)) {
          CHECK(counted == expected);
        }
      }
    }
  }
}
