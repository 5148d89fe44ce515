// SPDX-License-Identifier: BSD-3-Clause
// What participants say of their time windows, and when.
#include "await_event.hpp"
#include "isthmus/participant/session/introduction.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// What B says goes to a file.
std::string xml(const std::string& kind, const std::string& control) {
  Scenario scenario{
      {{.first = "A", .second = "B", .kind = kind, .max_windows = 2}},
      {{.from = "A", .to = "B", .data = "Force"}, {.from = "B", .to = "A", .data = "Heat"}}};
  scenario.schemes[0].control = control;
  scenario.log = R"(<log><sink type="file" output="of-b.txt" filter="%Participant% = B" )"
                 R"(format="%Message%" /></log>)";
  return scenario.xml();
}

/// The lines of B but those that name processes and folders.
std::vector<std::string> lines_of_run() {
  std::vector<std::string> lines;
  for (const std::string& line : isthmus::lines_of("of-b.txt")) {
    if (!line.starts_with("Isthmus ") && !line.starts_with("connected with") &&
        !line.starts_with("waiting for")) {
      lines.push_back(line);
    }
  }
  return lines;
}

/// The number of the line that is this one; none: that of the line behind the last.
std::ptrdiff_t place_of(const std::string& line) {
  const auto lines = isthmus::lines_of("of-b.txt");
  return std::find(lines.begin(), lines.end(), line) - lines.begin();
}

bool has_said(const std::string& line) {
  return place_of(line) < std::ssize(isthmus::lines_of("of-b.txt"));
}

void solve(const Seat& seat, const std::string& end_of_first_window) {
  isthmus::Participant participant = seat.make();
  const std::array ids{participant.set_mesh_vertex(seat.participant + "-Mesh", std::array{0., 0.})};
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    participant.write_data(seat.participant + "-Mesh", seat.participant == "A" ? "Force" : "Heat",
                           ids, std::array{1.});
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
    if (seat.participant == "A" && participant.is_time_window_complete()) {
      // B waits for the second window, which A has not begun.
      CHECK_NOTHROW(isthmus::await_event("B does not say: " + end_of_first_window,
                                         [&] { return has_said(end_of_first_window); }));
    }
  }
  participant.finalize();
}

void check_order(const std::string& text, const std::string& end_of_first_window) {
  for (const Deal& deal : {in_threads, serial(2)}) {
    const WorkingDirectory here;
    const auto play_role = [&](const Seat& seat) { solve(seat, end_of_first_window); };
    static_cast<void>(run(text, {{"A", play_role}, {"B", play_role}}, deal));
  }
}

} // namespace

TEST_CASE("the second of a serial scheme says that a window is done before the next one begins") {
  check_order(xml("serial-explicit", ""), "time window 1 done, time 1");
  check_order(xml("serial-implicit", R"(<max-iterations value="2" />)"),
              "time window 1 done after 2 iterations, time 1");
}

TEST_CASE("a window that is repeated is done when it is done, and both are said" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  const std::string first = "time window 1 done after 3 iterations, time 1";
  const auto play_role = [&first](const Seat& seat) { solve(seat, first); };
  static_cast<void>(run(xml("serial-implicit", R"(<max-iterations value="3" />)"),
                        {{"A", play_role}, {"B", play_role}}, in_threads));
  if (here.is_root()) {
    CHECK(place_of("time window 1 is repeated from time 0 on, iteration 2") < place_of(first));
    CHECK(has_said("time window 2 done after 3 iterations, time 2"));
  }
}

TEST_CASE("the log of a run tells what runs, how far meshes are apart, and every iteration" *
          on_ranks(1, 1)) {
  const WorkingDirectory here;
  const std::string control =
      R"(<max-iterations value="2" /><relative-convergence-measure limit="1e-3" data="Heat" )"
      R"(mesh="B-Mesh" />)";
  std::atomic<bool> a_has_opened = false; // its log, whose file is the same: it begins anew
  const auto play_role = [&a_has_opened](const Seat& seat) {
    const bool is_a = seat.participant == "A";
    isthmus::await_event("A has not opened its log", [&] { return is_a || a_has_opened; });
    isthmus::Participant participant = seat.make();
    a_has_opened = true;
    std::vector<isthmus::VertexId> ids(2);
    participant.set_mesh_vertices(seat.participant + "-Mesh",
                                  is_a ? std::vector{0., 0., 1., 0.} : std::vector{0., 3., 1., 1.},
                                  ids);
    participant.initialize();
    for (double value = 1; participant.is_coupling_ongoing(); value += 1) {
      static_cast<void>(participant.requires_writing_checkpoint());
      participant.write_data(seat.participant + "-Mesh", is_a ? "Force" : "Heat", ids,
                             std::vector{value, value});
      participant.advance(1);
      static_cast<void>(participant.requires_reading_checkpoint());
    }
    participant.finalize();
  };
  static_cast<void>(
      run(xml("serial-implicit", control), {{"A", play_role}, {"B", play_role}}, in_threads));
  if (!here.is_root()) {
    return;
  }
  const std::vector<std::string> expected{
      R"(coupling serial-implicit of "A", "B": time windows of 1, at most 2; at least 1 and at )"
      "most 2 iterations of a window, no acceleration, until relative 0.001 of Heat on B-Mesh",
      R"(mapping nearest-neighbor from "A-Mesh" to "B-Mesh": distances of 2 vertices from their )"
      "places: min 1, max 3, average 2",
      "time window 1, iteration 1: Heat on B-Mesh 1 > 0.001 (relative)",
      "time window 1 is repeated from time 0 on, iteration 2",
      "time window 1, iteration 2: Heat on B-Mesh 0.5 > 0.001 (relative)",
      "time window 1 done after 2 iterations without convergence, time 1",
      "time window 2, iteration 1: Heat on B-Mesh 0.333 > 0.001 (relative)",
      "time window 2 is repeated from time 1 on, iteration 2",
      "time window 2, iteration 2: Heat on B-Mesh 0.25 > 0.001 (relative)",
      "time window 2 done after 2 iterations without convergence, time 2"};
  CHECK(fmt::format("{}", fmt::join(lines_of_run(), "\n")) ==
        fmt::format("{}", fmt::join(expected, "\n")));
  const std::string first = isthmus::lines_of("of-b.txt").front();
  CAPTURE(first);
  CHECK(first.starts_with("Isthmus " + isthmus::version() +
                          R"(: participant "B" on 1 rank, configuration ")"));
  CHECK(first.find(std::filesystem::current_path().string()) != std::string::npos);
}

TEST_CASE("the log begins with the library, and the interface of a face that has another one") {
  isthmus::Log log("B", 0);
  std::string said;
  log.add_sink([&said](const isthmus::LogRecord& record) { said = record.text; });
  isthmus::config::Participant self;
  self.name = "B";
  for (const std::string interface : {"", "preCICE 3.4.1"}) {
    isthmus::participant::introduce(log, {}, self, 2, interface);
    const std::string with = interface.empty() ? "" : ", with the interface of " + interface;
    CHECK(
        said.starts_with("Isthmus " + isthmus::version() + with +
                         R"(: participant "B" on 2 ranks, configuration "", working directory )"));
  }
}

TEST_CASE("a scheme is told in a sentence") {
  isthmus::config::CouplingScheme scheme;
  scheme.participants = {"A", "B"};
  scheme.time_window.set_by_first_participant = true;
  scheme.max_time = 5;
  CHECK(isthmus::participant::sentence_of(scheme) ==
        R"(coupling parallel-explicit of "A", "B": time windows as the first participant sets )"
        "them, until time 5");
  scheme.kind = isthmus::config::SchemeKind::multi;
  scheme.participants.emplace_back("C");
  scheme.time_window = {.size = 0.25};
  scheme.acceleration.emplace().kind = isthmus::config::AccelerationKind::iqn_imvj;
  isthmus::config::ConvergenceMeasure measure;
  measure.kind = isthmus::config::MeasureKind::absolute_or_relative;
  measure.data = "Flux";
  measure.mesh = "Wall";
  measure.limit = 1e-3;
  measure.abs_limit = 2;
  scheme.measures = {measure};
  CHECK(isthmus::participant::sentence_of(scheme) ==
        R"(coupling multi of "A", "B", "C": time windows of 0.25, until time 5; at least 1 )"
        "iterations of a window, IQN-IMVJ, until absolute-or-relative 2 or 0.001 of Flux on Wall");
}
