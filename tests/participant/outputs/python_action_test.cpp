// SPDX-License-Identifier: BSD-3-Clause
// Actions written in Python. The interpreter is that of the project's environment, which has NumPy.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/scripts.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace couple;

namespace {

constexpr double step = 0.5;

/// A doubles what it writes and adds the time; B counts its calls and sums up what it reads.
constexpr const char* of_a = R"(import numpy

def performAction(time, force):
    assert isinstance(force, numpy.ndarray) and force.dtype == float
    force[:] = 2 * force + time
)";
constexpr const char* of_b = R"(calls = 0

def performAction(time, force, total):
    global calls
    calls += 1
    total += force + 100 * calls  # of zeros
    force[:] = -1  # of a copy
)";

const std::string doubling = action("write-mapping-post", "A-Mesh",
                                    R"(<module name="doubling" /><target-data name="Force" />)");
const std::string counting =
    action("read-mapping-post", "B-Mesh",
           R"(<module name="counting" /><source-data name="Force" /><target-data name="Total" />)");

std::string xml(const std::string& actions_of_a, const std::string& actions_of_b,
                const std::string& scheme) {
  Scenario scenario{{{.first = "A",
                      .second = "B",
                      .kind = "serial-" + scheme,
                      .max_windows = 2,
                      .control = scheme == "explicit" ? "" : R"(<max-iterations value="2" />)"}},
                    {{.from = "A", .to = "B", .data = "Force", .substeps = true}}};
  scenario.inside = {{"A", actions_of_a},
                     {"B", R"(<read-data name="Total" mesh="B-Mesh" />)" + actions_of_b}};
  scenario.unused = {{"B-Mesh", {"Total"}}};
  return scenario.xml();
}

double force(int vertex, double time) {
  return vertex + 10 * time;
}

/// Four vertices in turn; A writes what is above, B tells what it reads at the ends of its steps.
void solve(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const auto [numbers, places] = dealt_line(seat.launch, 4);
  std::vector<int> ids(numbers.size());
  participant.set_mesh_vertices(is_a ? "A-Mesh" : "B-Mesh", places, ids);
  participant.initialize();
  std::vector<double> values(ids.size());
  std::vector<double> totals(ids.size());
  double time = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? time : kept;
    if (is_a) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        values[i] = force(numbers[i], time + step);
      }
      participant.write_data("A-Mesh", "Force", ids, values);
    } else {
      participant.read_data("B-Mesh", "Force", ids, step, values);
      participant.read_data("B-Mesh", "Total", ids, step, totals);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put(fmt::format("at {}", time + step), numbers[i], {values[i], totals[i]});
      }
    }
    participant.advance(step);
    time = participant.requires_reading_checkpoint() ? kept : time + step;
  }
  participant.finalize();
}

const std::vector<Role> both{{"A", solve}, {"B", solve}};

} // namespace

TEST_CASE("Python acts once on every sample, that of repeated windows is acted on again") {
  const Scripts scripts;
  scripts.write({{"doubling", of_a}, {"counting", of_b}});
  for (const std::string scheme : {"explicit", "implicit"}) {
    for (const Deal& deal : deals(2)) {
      CAPTURE(scheme);
      const Table table = run(xml(doubling, counting, scheme), both, deal);
      REQUIRE(table.size() == 4);
      // calls of B: at the start, then for the steps; of repeated windows only in later iterations
      int calls = 1;
      for (int n = 1; n <= 4; ++n) {
        const auto& entries = table.at(fmt::format("at {}", n * step));
        const int iterations = scheme == "explicit" ? 1 : 2;
        REQUIRE(entries.size() == std::size_t(4 * iterations));
        for (int v = 0; v < 4; ++v) {
          const auto [first, last] = entries.equal_range(v);
          const double expected = 2 * force(v, n * step) + n * step;
          int iteration = 0;
          for (auto entry = first; entry != last; ++entry, ++iteration) {
            const int call = calls + iteration * 2 + (n - 1) % 2 + 1;
            CHECK(entry->second[0] == expected);
            CHECK(entry->second[1] == expected + 100 * call);
          }
        }
        calls += n % 2 == 0 ? 2 * iterations : 0;
      }
    }
  }
}

namespace {

/// Writes a force twice (A) or numbers (B), and puts down what it reads, for two windows.
void play_part(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const std::string mesh = is_a ? "A-Mesh" : "B-Mesh";
  std::vector<int> numbers;
  std::vector<double> places;
  for (int v = seat.launch.rank; v < (is_a ? 8 : 4); v += seat.launch.size) {
    numbers.push_back(v);
    places.insert(places.end(), {double(v % 4), is_a && v >= 4 ? 0.25 : 0.0});
  }
  std::vector<int> ids(numbers.size());
  participant.set_mesh_vertices(mesh, places, ids);
  participant.initialize();
  std::vector<double> values(ids.size());
  for (int window = 1; window <= 2; ++window) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] = is_a ? force(numbers[i], window) : numbers[i] + 7 * window;
    }
    for (const char* data : {"Force", "Doubled"}) {
      if (is_a) {
        participant.write_data(mesh, data, ids, values);
      }
    }
    if (!is_a) {
      participant.write_data(mesh, "Back", ids, values);
    }
    participant.advance(1);
    for (const char* data : {"Force", "Doubled", "Back"}) {
      if (is_a == (std::string(data) == "Back")) {
        participant.read_data(mesh, data, ids, 0, values);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seat.put(fmt::format("{} {}", data, window), numbers[i], {values[i]});
        }
      }
    }
  }
  participant.finalize();
}

} // namespace

TEST_CASE(
    "Python acts on the values of a received mesh, before they are sent and after they came") {
  const Scripts scripts;
  scripts.write(
      {{"doubling",
        "def performAction(time, force, doubled):\n"
        "    assert len(force) == len(doubled) and abs(doubled - force).max(initial=0) == 0\n"
        "    doubled[:] = 2 * force * time\n"},
       {"counting",
        "import os\n\n"
        "def performAction(time, back):\n"
        "    assert set(back) <= {v + 7 * time for v in range(4)}, (time, back)\n"
        "    open('called', 'a').write('x' * len(back))\n"}});
  const auto sent = [](const std::string& data) {
    return Flow{.from = "A",
                .to = "B",
                .data = data,
                .mapping = {.direction = "write", .constraint = "conservative"}};
  };
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 2}},
                    {sent("Force"), sent("Doubled"), {.from = "B", .to = "A", .data = "Back"}}};
  scenario.inside["A"] =
      action(
          "write-mapping-post", "B-Mesh",
          R"(<module name="doubling" /><source-data name="Force" /><target-data name="Doubled" />)") +
      action("read-mapping-post", "B-Mesh",
             R"(<module name="counting" /><source-data name="Back" />)");
  const std::string text = scenario.xml();
  for (const Deal& deal : deals(2)) {
    const Table table = run(text, {{"A", play_part}, {"B", play_part}}, deal);
    for (int window = 1; window <= 2; ++window) {
      for (int v = 0; v < 4; ++v) {
        const double sum = force(v, window) + force(v + 4, window);
        CHECK(table.at(fmt::format("Force {}", window)).find(v)->second[0] == sum);
        CHECK(table.at(fmt::format("Doubled {}", window)).find(v)->second[0] == 2 * sum * window);
        CHECK(table.at(fmt::format("Back {}", window)).find(v + 4)->second[0] == v + 7 * window);
      }
    }
    if (scripts.here.is_root()) { // at the start, and after two windows
      CHECK(std::filesystem::file_size("called") >= 8);
    }
  }
}

TEST_CASE("an error in a script ends all with its file, line and text") {
  const Scripts scripts;
  for (const Deal& deal : deals(2)) {
    scripts.write({{"doubling",
                    "def performAction(time, force):\n"
                    "    if time > 0.9 and 1 in force // 1 - 10:\n"
                    "        raise ValueError('one is too many')\n"}});
    const Outcome outcome = play(xml(doubling, "", "explicit"), both, deal);
    CAPTURE(outcome.all_errors());
    for (const char* participant : {"A", "B"}) {
      REQUIRE(outcome.errors.contains(participant));
      const std::string& error = outcome.errors.at(participant);
      for (const char* words : {"scripts/doubling.py\", line 3, in performAction", "Traceback",
                                "ValueError: one is too many"}) {
        CHECK(error.find(words) != std::string::npos);
      }
    }
  }
}

TEST_CASE("what cannot be loaded is said at the start") {
  const ShortTimeout timeout;
  const Scripts scripts;
  const auto error = [](const Deal& deal) {
    return play(xml(doubling, "", "explicit"), both, deal).errors["A"];
  };
  for (const Deal& deal : deals(2)) {
    scripts.write({{"doubling", "def performAction(time\n"}});
    CHECK(error(deal).find("SyntaxError") != std::string::npos);
    scripts.write({{"doubling", "value = 1\n"}});
    CHECK(error(deal).find("no attribute 'performAction'") != std::string::npos);
    const std::string text =
        xml(action("write-mapping-post", "A-Mesh", R"(<module name="nowhere" />)"), "", "explicit");
    const std::string missing = play(text, both, deal).errors["A"];
    const auto at = static_cast<std::ptrdiff_t>(text.find("<action"));
    const auto line = 1 + std::count(text.begin(), text.begin() + at, '\n');
    CHECK(missing.find(fmt::format("<action:python mesh=\"A-Mesh\"> in line {}", line)) !=
          std::string::npos);
    CHECK(missing.find("there is no module nowhere in ") != std::string::npos);
  }
}
