// SPDX-License-Identifier: BSD-3-Clause
// A first participant whose steps are the windows, beside other schemes.
#include "participant/setup/timeline.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace couple;

namespace {

std::vector<Flow> between(const std::string& one, const std::string& other, int scheme,
                          bool substeps) {
  std::vector<Flow> flows{{one, other, one + "-to-" + other}, {other, one, other + "-to-" + one}};
  for (Flow& flow : flows) {
    flow.scheme = scheme;
    flow.substeps = substeps;
  }
  return flows;
}

/// B or C waits for A, and the one in the middle for both.
Scenario composed(const std::vector<Scheme>& schemes, bool substeps) {
  Scenario scenario{schemes, {}};
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    for (const Flow& flow :
         between(schemes[i].first, schemes[i].second, static_cast<int>(i), substeps)) {
      scenario.flows.push_back(flow);
    }
  }
  return scenario;
}

constexpr double dictated = 0; // the size of a window that the first participant sets
constexpr double end = 1;

Scheme serial(const std::string& first, const std::string& second, double window) {
  return {first, second, "serial-explicit", window, end};
}

/// Steps to the end. Before each step of a repeated window, A tries another one, which is refused
/// with these words; how often.
int num_refused(const Seat& seat, double refused, const std::string& words) {
  isthmus::Participant participant = seat.make();
  for (const char* mesh : {"A-Mesh", "B-Mesh", "C-Mesh"}) {
    if (mesh[0] == seat.participant[0]) {
      participant.set_mesh_vertex(mesh, std::array{1.0 * seat.launch.rank, 0.0});
    }
  }
  participant.initialize();
  const bool sets = seat.participant == "A";
  bool repeats = false;
  int count = 0;
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    const double limit = participant.max_time_step_size();
    if (sets && repeats && refused <= limit) {
      CHECK_THROWS_WITH(participant.advance(refused), doctest::Contains(words.c_str()));
      ++count;
    }
    participant.advance(sets ? std::min(0.35, limit) : limit);
    repeats = participant.requires_reading_checkpoint();
  }
  participant.finalize();
  return count;
}

} // namespace

TEST_CASE("who sets the windows of two others leads both through its steps" * on_ranks_for(3)) {
  const Scenario scenario =
      composed({serial("A", "B", dictated), serial("A", "C", dictated)}, false);
  const Windows steps{{0, 0.35, 0.7, 1}};
  for (const Deal& deal : deals(3)) {
    const Table table =
        timeline(scenario, {{"A", of_a, 0.35}, {"B", of_b, 0.2}, {"C", of_c}}, deal);
    CHECK(mismatch(table, "B/A-to-B", steps.linear(of_a)) == "");
    CHECK(mismatch(table, "C/A-to-C", steps.linear(of_a)) == "");
    CHECK(mismatch(table, "A/B-to-A", steps.held(of_b)) == "");
    CHECK(mismatch(table, "A/C-to-A", steps.held(of_c)) == "");
    CHECK(table.at("C/steps").begin()->second.size() == 2 * 3);
  }
}

TEST_CASE("who follows one may set the windows of another" * on_ranks_for(3)) {
  const Scenario scenario =
      composed({serial("A", "B", dictated), serial("B", "C", dictated)}, false);
  const Windows steps{{0, 0.35, 0.7, 1}};
  const Windows of_steps_of_b{{0, 0.2, 0.35, 0.55, 0.7, 0.9, 1}};
  for (const Deal& deal : deals(3)) {
    const Table table =
        timeline(scenario, {{"A", of_a, 0.35}, {"B", of_b, 0.2}, {"C", of_c}}, deal);
    CHECK(mismatch(table, "B/A-to-B", steps.linear(of_a)) == "");
    CHECK(mismatch(table, "A/B-to-A", steps.held(of_b)) == "");
    CHECK(mismatch(table, "C/B-to-C", of_steps_of_b.linear(of_b)) == "");
    CHECK(mismatch(table, "B/C-to-B", of_steps_of_b.held(of_c)) == "");
  }
}

TEST_CASE("a fixed window beside those that a participant sets limits its steps" *
          on_ranks_for(3)) {
  const Windows steps{{0, 0.35, 0.5, 0.85, 1}};
  const Windows halves{{0, 0.5, 1}};
  for (const bool substeps : {false, true}) {
    const Scenario scenario =
        composed({serial("A", "B", dictated), {"A", "C", "parallel-explicit", 0.5, end}}, substeps);
    for (const Deal& deal : deals(3)) {
      const Table table =
          timeline(scenario, {{"A", of_a, 0.35}, {"B", of_b}, {"C", of_c, 0.2}}, deal);
      CHECK(mismatch(table, "B/A-to-B", steps.linear(of_a)) == "");
      CHECK(mismatch(table, "A/B-to-A", steps.held(of_b)) == "");
      CHECK(mismatch(table, "C/A-to-C", halves.held(of_a)) == "");
      CHECK(mismatch(table, "A/C-to-A", halves.held(of_c)) == "");
    }
  }
}

TEST_CASE("who sets an implicit window repeats its step beside an explicit scheme" *
          on_ranks_for(3)) {
  const std::vector<double> ends{0, 0.35, 0.5, 0.85, 1};
  const Windows halves{{0, 0.5, 1}};
  Scheme implicit = serial("A", "B", dictated);
  implicit.kind = "serial-implicit";
  implicit.control = "<max-iterations value=\"2\"/>";
  const Scenario scenario = composed({implicit, {"A", "C", "parallel-explicit", 0.5, end}}, false);
  for (const Deal& deal : deals(3)) {
    const Table table =
        timeline(scenario, {{"A", of_a, 0.35}, {"B", of_b}, {"C", of_c, 0.2}}, deal);
    CHECK(mismatch(table, "B/A-to-B", Windows{ends}.linear(of_a)) == "");
    CHECK(mismatch(table, "C/A-to-C", halves.held(of_a)) == "");
    CHECK(mismatch(table, "A/C-to-A", halves.held(of_c)) == "");
    for (const char* name : {"A", "B"}) {
      const std::vector<double>& steps = table.at(std::string(name) + "/steps").begin()->second;
      REQUIRE(steps.size() == 2 * 2 * (ends.size() - 1));
      for (std::size_t i = 0; 2 * i < steps.size(); ++i) {
        CHECK(steps[2 * i] == doctest::Approx(ends[i / 2 + 1] - ends[i / 2]));
        CHECK(steps[2 * i + 1] == (i % 2 == 0 ? 0 : 1));
      }
    }
  }
}

TEST_CASE("a smaller step than in the first iteration is refused beside another scheme" *
          on_ranks_for(3)) {
  Scheme implicit = serial("A", "B", dictated);
  implicit.kind = "serial-implicit";
  implicit.control = "<max-iterations value=\"2\"/>";
  const std::string xml =
      composed({implicit, {"B", "C", "parallel-explicit", 0.5, end}}, false).xml();
  const auto step_through = [](const Seat& seat) {
    CHECK(num_refused(seat, 0.2, "choose a step once") == (seat.participant == "A" ? 3 : 0));
  };
  for (const Deal& deal : deals(3)) {
    static_cast<void>(
        run(xml, {{"A", step_through}, {"B", step_through}, {"C", step_through}}, deal));
  }
}

TEST_CASE("a larger step than in the iteration before is refused" * on_ranks_for(2)) {
  Scheme implicit = serial("A", "B", dictated);
  implicit.kind = "serial-implicit";
  implicit.control = "<max-iterations value=\"3\"/>";
  const std::string xml = composed({implicit}, true).xml();
  const auto step_through = [](const Seat& seat) { // two windows of three leave room for it
    const std::string words = "cannot grow while it is repeated";
    CHECK(num_refused(seat, 0.5, words) == (seat.participant == "A" ? 4 : 0));
  };
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(xml, {{"A", step_through}, {"B", step_through}}, deal));
  }
}
