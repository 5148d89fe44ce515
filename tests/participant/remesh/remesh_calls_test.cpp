// SPDX-License-Identifier: BSD-3-Clause
// Calls of reset_mesh() that are refused.
#include "participant/setup/couple.hpp"
#include "participant/setup/lines.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace couple;

namespace {

using isthmus::Participant;

/// Runs two serial participants; A makes a wrong call after the first window. What it was told.
std::string told(const std::string& scheme, bool remeshing,
                 const std::function<void(Participant&)>& wrong) {
  Scenario run = scenario(scheme, 3);
  run.remeshing = remeshing;
  std::string error;
  const auto solver = [&](const Seat& seat) {
    Participant participant = seat.make();
    const Piece part = piece(line(seat.participant, 0), 0, 1);
    std::vector<int> ids(part.entries.size());
    for (const char* suffix : {"-Mesh0", "-Mesh1"}) {
      participant.set_mesh_vertices(seat.participant + suffix, part.places, ids);
    }
    participant.initialize();
    participant.advance(1);
    if (seat.participant == "A") {
      wrong(participant);
    }
    while (participant.is_coupling_ongoing()) {
      participant.advance(participant.max_time_step_size());
    }
    participant.finalize();
  };
  return play(run.xml(), {{"A", solver}, {"B", solver}}, serial(2)).all_errors();
}

bool mentions(const std::string& text, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&text](const std::string& word) {
    return text.find(word) != std::string::npos;
  });
}

} // namespace

TEST_CASE("wrong calls of reset_mesh()") {
  const auto reset = [](Participant& a) { a.reset_mesh("A-Mesh0"); };
  const struct {
    std::string name;
    std::function<void(Participant&)> call;
    std::vector<std::string> words;
  } calls[] = {
      {"received", [](Participant& a) { a.reset_mesh("B-Mesh0"); }, {"B-Mesh0", "provides"}},
      {"twice", [&](Participant& a) { reset(a), reset(a); }, {"reset already", "A-Mesh0"}},
      {"within a window",
       [&](Participant& a) { a.advance(0.5), reset(a); },
       {"reset_mesh()", "completed a time window"}},
      {"and a step that does not end the window",
       [&](Participant& a) { reset(a), a.advance(0.5); },
       {"0.5", "end the time window"}},
      {"and reading",
       [&](Participant& a) {
         reset(a);
         a.read_data("A-Mesh0", "B0", {}, 0, {});
       },
       {"read_data()", "A-Mesh0", "was reset"}},
      {"and no new vertices",
       [&](Participant& a) { reset(a), a.advance(1); },
       {"A-Mesh0", "no vertices", "where the mesh is reset"}},
      {"and an old vertex",
       [&](Participant& a) {
         reset(a);
         a.write_data("A-Mesh0", "A0", std::array{0}, std::array{1.0});
       },
       {"vertex id 0", "A-Mesh0"}},
  };
  for (const auto& [name, call, words] : calls) {
    CAPTURE(name);
    const std::string text = told("parallel-explicit", true, call);
    CAPTURE(text);
    CHECK(mentions(text, words));
  }
  CHECK(mentions(told("parallel-explicit", false, reset), {"allow-remeshing=\"true\""}));
}

TEST_CASE("as many meshes as can be told of are reset at a time, and no more") {
  Scenario run;
  run.remeshing = true;
  run.schemes = {{"A", "B", "parallel-explicit", 1, 0, 2}};
  constexpr int most = 64;
  for (int i = 0; i <= most; ++i) {
    Flow flow{"A", "B", fmt::format("T{:02}", i)};
    flow.meshes.suffix = fmt::format("{:02}", i); // in the order of their tags
    run.flows.push_back(flow);
  }
  const auto play_with = [&run](int resets) {
    const auto solver = [&](const Seat& seat) {
      Participant participant = seat.make();
      std::vector<int> ids(2);
      const auto define = [&](const Flow& flow, double shift) {
        participant.set_mesh_vertices(seat.participant + "-Mesh" + flow.meshes.suffix,
                                      std::vector<double>{shift, 0, 1 + shift, 0}, ids);
      };
      for (const Flow& flow : run.flows) {
        define(flow, 0);
      }
      participant.initialize();
      participant.advance(1);
      for (int i = 0; i < resets && seat.participant == "A"; ++i) { // the vertices trade places
        const Flow& flow = run.flows[static_cast<std::size_t>(i)];
        participant.reset_mesh(flow.from_mesh());
        participant.set_mesh_vertices(flow.from_mesh(), std::vector<double>{1, 0, 0, 0}, ids);
      }
      for (const Flow& flow : run.flows) {
        if (seat.participant == "A") {
          participant.write_data(flow.from_mesh(), flow.data, ids, std::vector<double>{5, 6});
        }
      }
      participant.advance(1);
      for (const Flow& flow : run.flows) {
        if (seat.participant == "B") {
          std::vector<double> values(2);
          participant.read_data(flow.to_mesh(), flow.data, ids, 0, values);
          const bool is_reset = &flow - run.flows.data() < resets;
          CHECK(values == (is_reset ? std::vector<double>{6, 5} : std::vector<double>{5, 6}));
        }
      }
      participant.finalize();
    };
    return play(run.xml(), {{"A", solver}, {"B", solver}}, serial(2)).all_errors();
  };
  CHECK(play_with(most) == "");
  CHECK(mentions(play_with(most + 1), {"reset_mesh()", "more than 64 meshes", "A-Mesh64"}));
}
