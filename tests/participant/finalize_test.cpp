// SPDX-License-Identifier: BSD-3-Clause
// How participants end together.
#include "await_event.hpp"
#include "naps.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <optional>

using namespace couple;

namespace {

const char* const waiting = "wait-in-finalize=\"true\"";

} // namespace

TEST_CASE(
    "with wait-in-finalize a participant ends when its partners have come to their end, too") {
  const Scenario scenario{.schemes = {{.first = "A", .second = "B", .max_windows = 1}},
                          .flows = {{.from = "A", .to = "B", .data = "Heat"}},
                          .attributes = waiting};
  std::optional<isthmus::Naps> naps_of_a; // in finalize(); of threads of one process
  std::atomic<bool> a_has_come = false;
  std::atomic<bool> a_has_ended = false;
  std::atomic<bool> b_has_come = false;
  const auto play = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    participant.set_mesh_vertex(seat.participant + "-Mesh", std::array{0.0, 0.0});
    participant.initialize();
    participant.advance(1);
    const bool is_a = seat.participant == "A";
    if (is_a) {
      naps_of_a.emplace();
      a_has_come = true;
    } else { // until A waits in finalize(), or has ended too early
      isthmus::await_event("A does not come to its end",
                           [&a_has_come] { return a_has_come.load(); });
      naps_of_a->await(3, [&a_has_ended] { return a_has_ended.load(); });
      b_has_come = true;
    }
    participant.finalize();
    a_has_ended = a_has_ended || is_a;
    CHECK(b_has_come);
  };
  static_cast<void>(run(scenario.xml(), {{"A", play}, {"B", play}}, in_threads));
}

TEST_CASE("with wait-in-finalize all ranks of both participants end") {
  const Scenario scenario{.schemes = {{.first = "A", .second = "B", .max_windows = 2}},
                          .flows = {{.from = "A", .to = "B", .data = "Heat"}},
                          .attributes = waiting};
  const auto play = [](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    participant.set_mesh_vertex(seat.participant + "-Mesh",
                                std::array{1.0 * seat.launch.rank, 0.0});
    participant.initialize();
    participant.advance(1);
    participant.advance(1);
    participant.finalize();
    seat.put(seat.participant, seat.launch.rank, {1});
  };
  for (const Deal& deal : deals(2)) {
    CHECK(run(scenario.xml(), {{"A", play}, {"B", play}}, deal).size() == 2);
  }
}

TEST_CASE("who is destroyed without finalize() ends as one that calls it, at the end and before") {
  const Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 3}},
      {{.from = "A", .to = "B", .data = "Heat"}, {.from = "B", .to = "A", .data = "Force"}}};
  const auto outcome = [&scenario](const Deal& deal, int windows_of_a, bool finalizes) {
    const auto play_side = [=](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      participant.set_mesh_vertex(seat.participant + "-Mesh",
                                  std::array{1.0 * seat.launch.rank, 0.0});
      participant.initialize();
      const int windows = seat.participant == "A" ? windows_of_a : 3;
      for (int window = 0; window < windows; ++window) {
        participant.advance(1);
        seat.put(seat.participant, window, {participant.is_coupling_ongoing() ? 1.0 : 0.0});
      }
      if (finalizes) {
        participant.finalize();
      }
    };
    return play(scenario.xml(), {{"A", play_side}, {"B", play_side}}, deal);
  };
  for (const Deal& deal : deals(2)) {
    CHECK(outcome(deal, 3, true).all_errors() == "");
    CHECK(outcome(deal, 3, false).all_errors() == "");
    for (const bool finalizes : {true, false}) {
      Outcome early = outcome(deal, 1, finalizes);
      CAPTURE(finalizes);
      CHECK(early.errors["A"] == "");
      CAPTURE(early.errors["B"]);
      CHECK(early.errors["B"].find("\"A\"") != std::string::npos);
      CHECK(early.table.at("B").count(0) > 0); // what A sent before has come
    }
  }
}

TEST_CASE("who never initializes ends at once, with wait-in-finalize, too, and may come again") {
  Scenario scenario{
      {{.first = "A",
        .second = "B",
        .kind = "serial-implicit",
        .max_windows = 1,
        .control = "<max-iterations value=\"2\" />"}},
      {{.from = "A", .to = "B", .data = "Heat"}, {.from = "B", .to = "A", .data = "Force"}}};
  for (const bool waits : {false, true}) {
    scenario.attributes = waits ? waiting : "";
    for (const bool finalizes : {false, true}) {
      const auto come_and_go = [finalizes](const Seat& seat) {
        for (int round = 0; round < 3; ++round) {
          isthmus::Participant participant = seat.make();
          CHECK(participant.mesh_dimensions(seat.participant + "-Mesh") == 2);
          if (round > 0) {
            participant.set_mesh_vertex(seat.participant + "-Mesh", std::array{0.0, 0.0});
          }
          if (finalizes) {
            participant.finalize();
          }
        }
      };
      for (const Deal& deal : deals(2)) {
        CAPTURE(waits);
        CAPTURE(finalizes);
        const Outcome outcome =
            play(scenario.xml(), {{"A", come_and_go}, {"B", come_and_go}}, deal);
        CHECK(outcome.all_errors() == "");
      }
    }
  }
}
