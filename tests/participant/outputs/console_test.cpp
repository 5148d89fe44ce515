// SPDX-License-Identifier: BSD-3-Clause
// What participants say of their time windows, and when.
#include "isthmus/base/clock.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <string>
#include <thread>

using namespace couple;

namespace {

/// What B says goes to a file.
std::string xml(const std::string& kind, const std::string& control) {
  Scenario scenario{
      {{.first = "A", .second = "B", .kind = kind, .max_windows = 2}},
      {{.from = "A", .to = "B", .data = "Force"}, {.from = "B", .to = "A", .data = "Heat"}}};
  scenario.schemes[0].control = control;
  std::string text = scenario.xml();
  const std::string silent = "<log enabled=\"false\" />";
  text.replace(text.find(silent), silent.size(),
               R"(<log><sink type="file" output="of-b.txt" filter="%Participant% = B" )"
               R"(format="%Message%" /></log>)");
  return text;
}

/// The number of the line that is this one; none: that of the line behind the last.
std::ptrdiff_t place_of(const std::string& line) {
  const auto lines = isthmus::lines_of("of-b.txt");
  return std::find(lines.begin(), lines.end(), line) - lines.begin();
}

bool has_said(const std::string& line) {
  return place_of(line) < std::ssize(isthmus::lines_of("of-b.txt"));
}

/// As long as a busy machine may need.
bool says(const std::string& line) {
  for (const isthmus::Deadline limit(30); !limit.passed() && !has_said(line);) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return has_said(line);
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
      CHECK(says(end_of_first_window)); // B waits for the second window, which A has not begun
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
