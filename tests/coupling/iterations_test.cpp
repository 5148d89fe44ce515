// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/iterations.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "text_files.hpp"
#include "two_sides.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::coupling {

namespace {

using Verdict = Iterations::Verdict;

config::Configuration measured_sides(std::optional<int> most) {
  config::Configuration configuration = make_two_sides();
  config::ConvergenceMeasure measure;
  measure.kind = config::MeasureKind::relative;
  measure.data = "x";
  measure.mesh = "B-Mesh";
  measure.limit = 0.1;
  configuration.schemes.front().measures = {measure};
  configuration.schemes.front().max_iterations = most;
  return configuration;
}

/// The parts of the steps of a participant that meets nobody.
struct Lonely {
  explicit Lonely(const std::string& name, std::optional<int> most = {})
      : configuration(measured_sides(most)),
        network(name),
        fields(config::declared_fields(configuration, *configuration.find_participant(name))),
        step(network.context(), settings_of(configuration), *configuration.find_participant(name),
             fields, hooks) {
    for (fields::Field* field : fields.all()) {
      field->resize(2);
    }
  }
  /// As if "A" had answered so at the end of the first window, or of the next.
  void answer(const std::vector<double>& x) {
    const double start = step.schedule.implicit()->window().start();
    for (const char* const data : {"x", "y"}) {
      time::Waveform& wave = fields.at("B-Mesh", data).wave();
      if (wave.empty()) {
        wave.append(start, {0, 0});
      }
      wave.drop_after(start);
      wave.append(start + 1, std::vector<double>(x));
    }
  }
  /// The iterations of a window with these answers.
  void iterate(Iterations& iterations, const std::vector<std::vector<double>>& answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answer(answers[i]);
      CHECK(iterations.current() == static_cast<int>(i) + 1);
      iterations.begin();
      iterations.decide();
      const bool is_last = i + 1 == answers.size();
      CHECK(iterations.verdict() == (is_last ? Verdict::converged : Verdict::repeat));
      CHECK(iterations.repeats() != is_last);
      if (is_last) {
        Window& window = step.schedule.implicit()->window();
        window.advance(1);
        window.open_next();
      }
      iterations.finish();
    }
    CHECK(iterations.current() == 1); // of the next window
  }

  WorkingFolder folder;
  config::Configuration configuration;
  Network network;
  RecordedHooks hooks;
  fields::FieldSet fields;
  StepParts step;
};

} // namespace

TEST_CASE("who leads counts iterations, decides and logs, and goes on where counts were kept") {
  Lonely b("B");
  Writer kept;
  {
    Iterations iterations(b.step, b.configuration.data, false);
    b.answer({0, 0});
    iterations.start(nullptr);
    iterations.open_log();
    REQUIRE(iterations.convergence() != nullptr);
    b.iterate(iterations, {{3, 4}, {6, 8}, {6, 8.5}});
    CHECK(iterations.convergence()->values()[0] ==
          doctest::Approx(0.5 / std::sqrt(36 + 8.5 * 8.5)));
    CHECK(iterations.meets_limits());
    iterations.save_counts(kept);
  }
  const std::vector<std::byte> bytes = kept.take();
  Reader reader(bytes);
  Iterations later(b.step, b.configuration.data, false);
  later.restore_counts(reader);
  later.start(nullptr);
  later.open_log();
  b.iterate(later, {{12, 0}, {12, 0}});
  // window, iterations of all, of this one, whether it converged
  CHECK(rows_of("precice-B-iterations.log") ==
        std::vector<std::vector<double>>{{1, 3, 3, 1}, {2, 5, 2, 1}});
  CHECK(lines_of("precice-B-convergence.log").size() == 1 + 3 + 2);
}

TEST_CASE("a window that converges in its last iteration has 0 in the log, as in preCICE") {
  Lonely b("B", 3);
  Iterations iterations(b.step, b.configuration.data, false);
  b.answer({0, 0});
  iterations.start(nullptr);
  iterations.open_log();
  b.iterate(iterations, {{3, 4}, {6, 8}, {6, 8.5}});
  b.iterate(iterations, {{12, 0}, {12, 0}});
  CHECK(rows_of("precice-B-iterations.log") ==
        std::vector<std::vector<double>>{{1, 3, 3, 0}, {2, 5, 2, 1}});
}

TEST_CASE("who follows takes the verdict of the leader, and measures nothing") {
  Lonely a("A");
  Iterations iterations(a.step, a.configuration.data, false);
  iterations.start(nullptr);
  CHECK(iterations.convergence() == nullptr);
  for (const Verdict verdict : {Verdict::repeat, Verdict::exhausted, Verdict::converged}) {
    iterations.follow(verdict);
    CHECK(iterations.verdict() == verdict);
    CHECK(iterations.repeats() == (verdict == Verdict::repeat));
    CHECK(iterations.meets_limits() == (verdict == Verdict::converged));
  }
}

} // namespace isthmus::coupling
