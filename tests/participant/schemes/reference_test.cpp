// SPDX-License-Identifier: BSD-3-Clause
// What two solvers read at every step, for combinations of all options of their scheme, against a
// small reference that runs them in turn: solvers that answer what they read, so that everything
// which comes too early or too late shows in all later numbers.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

using namespace couple;

namespace {

struct Setting {
  bool serial = false;
  int iterations = 1;    // 1: explicit
  bool dictated = false; // the first participant's steps are the windows
  std::array<bool, 2> initialize{false, false};
  bool substeps = false;
  int degree = 1;
  std::array<std::vector<double>, 2> steps; // taken in turn, as far as they fit; none: the largest
  double max_time = 0;                      // 0: none
  int max_windows = 0;

  [[nodiscard]] bool implicit() const { return iterations > 1; }
};

constexpr double window_size = 0.5;
constexpr double infinite = 1e300;

std::string xml(const Setting& setting) {
  const std::string kind = fmt::format("{}-{}", setting.serial ? "serial" : "parallel",
                                       setting.implicit() ? "implicit" : "explicit");
  Scenario scenario{{{.first = "A",
                      .second = "B",
                      .kind = kind,
                      .window = setting.dictated ? 0 : window_size,
                      .max_time = setting.max_time,
                      .max_windows = setting.max_windows}},
                    {}};
  if (setting.implicit()) {
    scenario.schemes[0].control = fmt::format("<max-iterations value=\"{}\"/>", setting.iterations);
  }
  for (const auto& [self, other, i] : {std::tuple("A", "B", 0), std::tuple("B", "A", 1)}) {
    scenario.flows.push_back({.from = self,
                              .to = other,
                              .data = std::string("D") + self,
                              .initialize = setting.initialize[static_cast<std::size_t>(i)],
                              .substeps = setting.substeps,
                              .degree = setting.degree});
  }
  return scenario.xml();
}

double initial_value(std::size_t who) {
  return who == 0 ? 3 : -2;
}
double answer(std::size_t who, double at_start, double at_end, double end) {
  return (who == 0 ? 1 : -1) + 0.5 * at_end - 0.25 * at_start + end;
}
/// The step number n of a solver, of which so much is left.
double step_of(const std::vector<double>& steps, std::size_t n, double left) {
  const double wanted = steps.empty() ? left : steps[n % steps.size()];
  return wanted > left - 1e-9 ? left : wanted;
}

struct Sample {
  double time;
  double value;
};
using Wave = std::vector<Sample>;

double read(const Wave& wave, double t, int degree) {
  if (t <= wave.front().time + 1e-9) {
    return wave.front().value;
  }
  for (std::size_t i = 1; i < wave.size(); ++i) {
    if (t <= wave[i].time + 1e-9) {
      const double s = degree == 0 ? 1 : (t - wave[i - 1].time) / (wave[i].time - wave[i - 1].time);
      return (1 - s) * wave[i - 1].value + s * wave[i].value;
    }
  }
  return wave.back().value;
}

/// Runs both solvers in turn. `seen[who]`: dt and both values that were read, step by step.
class Reference {
 public:
  explicit Reference(const Setting& setting) : setting_(setting) {
    for (const std::size_t who : {0U, 1U}) {
      last_[who] = setting.initialize[who] ? initial_value(who) : 0;
    }
    double start = 0;
    for (int window = 1; !over(window, start); ++window) {
      double end = setting.dictated
                       ? start + step_of(setting.steps[0], static_cast<std::size_t>(window) - 1,
                                         limit() - start)
                       : std::min(window * window_size, limit());
      run_window(start, end);
      start = end;
    }
  }

  std::array<std::vector<double>, 2> seen;

 private:
  [[nodiscard]] double limit() const {
    return setting_.max_time > 0 ? setting_.max_time : infinite;
  }
  [[nodiscard]] bool over(int window, double start) const {
    return (setting_.max_windows > 0 && window > setting_.max_windows) || start > limit() - 1e-9;
  }

  void run_window(double start, double end) {
    std::array<Wave, 2> made;
    const std::array<Wave, 2> begin{Wave{{start, last_[0]}}, Wave{{start, last_[1]}}};
    std::array<Wave, 2> read_of = begin; // what the other one reads of A, of B
    for (int iteration = 1; iteration <= setting_.iterations; ++iteration) {
      made[0] = run(0, start, end, read_of[1]);
      if (setting_.serial) {
        read_of[0] = joined(begin[0], made[0]);
      }
      made[1] = run(1, start, end, read_of[0]);
      read_of = {joined(begin[0], made[0]), joined(begin[1], made[1])};
    }
    last_ = {made[0].back().value, made[1].back().value};
  }

  [[nodiscard]] Wave joined(Wave begin, const Wave& made) const {
    begin.insert(begin.end(), setting_.substeps ? made.begin() : made.end() - 1, made.end());
    return begin;
  }

  Wave run(std::size_t who, double start, double end, const Wave& other) {
    Wave made;
    double t = start;
    const bool dictates = who == 0 && setting_.dictated;
    for (std::size_t n = 0; t < end - 1e-9; ++n) {
      const double dt = dictates ? end - t : step_of(setting_.steps[who], n, end - t);
      const double first = read(other, t, setting_.degree);
      const double second = read(other, t + dt, setting_.degree);
      seen[who].insert(seen[who].end(), {dt, first, second});
      t += dt;
      made.push_back({t, answer(who, first, second, t)});
    }
    return made;
  }

  const Setting& setting_;
  std::array<double, 2> last_{};
};

/// The same with the library; every vertex has its own multiple of everything that is linear.
void solve(const Seat& seat, const Setting& setting) {
  const std::size_t who = seat.participant == "A" ? 0 : 1;
  const std::string mesh = seat.participant + "-Mesh";
  const std::string own = "D" + seat.participant;
  const std::string other = who == 0 ? "DB" : "DA";
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids;
  for (int v = seat.launch.rank; v < 3; v += seat.launch.size) {
    ids.push_back(participant.set_mesh_vertex(mesh, std::vector<double>{v * 1.0, 0}));
  }
  const auto write = [&](double value) {
    participant.write_data(mesh, own, ids, std::vector<double>(ids.size(), value));
  };
  if (participant.requires_initial_data()) {
    write(setting.initialize[who] ? initial_value(who) : 0);
  }
  participant.initialize();
  std::vector<double> seen;
  double t = 0;
  double kept = 0;
  std::size_t n = 0;      // steps in this window
  std::size_t window = 0; // done
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    const double left = participant.max_time_step_size();
    const bool dictates = who == 0 && setting.dictated;
    const double dt = step_of(setting.steps[who], dictates ? window : n, left);
    std::array<double, 2> values{};
    std::vector<double> all(ids.size());
    for (const std::size_t k : {0U, 1U}) {
      participant.read_data(mesh, other, ids, k == 0 ? 0 : dt, all);
      values[k] = all.empty() ? 0 : all.front();
      CHECK(std::all_of(all.begin(), all.end(), [&](double v) { return v == all.front(); }));
    }
    seen.insert(seen.end(), {dt, values[0], values[1]});
    t += dt;
    write(answer(who, values[0], values[1], t));
    participant.advance(dt);
    ++n;
    if (participant.requires_reading_checkpoint()) {
      t = kept;
      n = 0;
    } else if (participant.is_time_window_complete()) {
      n = 0;
      ++window;
    }
  }
  participant.finalize();
  if (!ids.empty()) {
    seat.put(seat.participant, seat.launch.rank, seen);
  }
}

void check_setting(const Setting& setting, const Deal& deal) {
  const std::string text = xml(setting);
  CAPTURE(text);
  const Reference reference(setting);
  const auto play_role = [&setting](const Seat& seat) { solve(seat, setting); };
  const Table table = run(text, {{"A", play_role}, {"B", play_role}}, deal);
  for (const std::size_t who : {0U, 1U}) {
    for (const auto& [rank, seen] : table.at(who == 0 ? "A" : "B")) {
      const auto& expected = reference.seen[who];
      REQUIRE(seen.size() == expected.size());
      for (std::size_t i = 0; i < seen.size(); ++i) {
        CAPTURE(who);
        CAPTURE(i);
        CHECK(std::abs(seen[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])));
      }
    }
  }
}

std::vector<Setting> settings(bool serial, bool implicit) {
  std::vector<Setting> all;
  for (int i = 0; i < 12; ++i) { // every two options meet
    Setting one;
    one.serial = serial;
    one.iterations = implicit ? 3 : 1;
    one.initialize = {i % 2 == 0, i % 3 == 0};
    one.substeps = (i / 2) % 2 == 0;
    one.degree = !one.substeps && i % 3 == 1 ? 0 : 1;
    one.dictated = serial && i % 4 == 3;
    one.steps[0] = i % 3 == 0 ? std::vector<double>{} : std::vector<double>{0.2, 0.1};
    one.steps[1] = i % 4 < 2 ? std::vector<double>{} : std::vector<double>{0.15};
    one.max_time = i % 3 != 1 ? 1.2 : 0; // cuts the last window
    one.max_windows = i % 3 != 0 ? 2 + i % 2 : 0;
    if (one.dictated) {
      one.steps[0] = {0.35, 0.2, 0.5};
    }
    all.push_back(one);
  }
  return all;
}

void check_all(bool serial, bool implicit) {
  const std::vector<Deal> all = deals(2);
  std::size_t next = 0;
  for (const Setting& setting : settings(serial, implicit)) {
    if (!all.empty()) {
      check_setting(setting, all[next++ % all.size()]);
    }
  }
}

} // namespace

TEST_CASE("all options of serial-explicit against a reference") {
  check_all(true, false);
}

TEST_CASE("all options of parallel-explicit against a reference") {
  check_all(false, false);
}

TEST_CASE("all options of serial-implicit against a reference") {
  check_all(true, true);
}

TEST_CASE("all options of parallel-implicit against a reference") {
  check_all(false, true);
}
