// SPDX-License-Identifier: BSD-3-Clause
// Attributes that choose numbers: a run with one value of an attribute and a run with another one
// differ. What the numbers are is tested with the modules; here nobody may read an attribute and
// forget it on the way.
#include "participant/setup/attributes.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// A nonlinear problem of five unknowns on each side, in windows of two steps: all that is read.
/// `width`: of the data, and of the space.
History iterated(const Scenario& scenario, std::size_t width = 1) {
  const auto play = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const bool is_a = seat.participant == "A";
    const std::string mesh = is_a ? "A-Mesh" : "B-Mesh";
    std::vector<double> places;
    for (int i = 0; i < 5; ++i) {
      places.insert(places.end(), {static_cast<double>(i), 0});
      places.resize(places.size() + (width == 3 ? 1 : 0));
    }
    std::vector<int> ids(5);
    participant.set_mesh_vertices(mesh, places, ids);
    participant.initialize();
    History history;
    const std::size_t size = 5 * width;
    std::vector<double> values(size);
    double t = 0;
    double kept = 0;
    while (participant.is_coupling_ongoing()) {
      if (participant.requires_writing_checkpoint()) {
        kept = t;
      }
      const double dt = std::min(0.5, participant.max_time_step_size());
      participant.read_data(mesh, is_a ? "F" : "T", ids, dt, values);
      history.insert(history.end(), values.begin(), values.end());
      t += dt;
      std::vector<double> answer(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double next = values[(i + 1) % size];
        const double own = values[i];
        answer[i] = is_a ? std::cos(own) + 0.3 * next + t * static_cast<double>(i)
                         : 100 * (-0.9 * own + 0.2 * std::sin(next) + std::sqrt(t));
        answer[i] *= is_a ? 1 : 0.01;
      }
      participant.write_data(mesh, is_a ? "T" : "F", ids, answer);
      participant.advance(dt);
      t = participant.requires_reading_checkpoint() ? kept : t;
    }
    participant.finalize();
    seat.put(seat.participant, 0, history);
  };
  const Table reported = run(scenario.xml(), {{"A", play}, {"B", play}}, in_threads);
  History all = reported.at("A").begin()->second;
  const History& of_b = reported.at("B").begin()->second;
  all.insert(all.end(), of_b.begin(), of_b.end());
  return all;
}

const std::string unbounded = R"(lower-bound="-inf" upper-bound="inf")";
const std::string nine = R"(<min-iterations value="1" /><max-iterations value="9" />)";
const std::string ninety_nine = R"(<min-iterations value="1" /><max-iterations value="99" />)";
const std::string measure_of_t =
    R"(<relative-convergence-measure data="T" mesh="A-Mesh" limit="1e-6" />)";

/// `control`: iterations and measures.
Scenario implicit_run(const std::string& acceleration,
                      const std::string& control = nine + measure_of_t) {
  return {{{.first = "A",
            .second = "B",
            .kind = "parallel-implicit",
            .max_windows = 4,
            .control = control + acceleration}},
          {{.from = "A", .to = "B", .data = "T", .substeps = true, .of_data = unbounded},
           {.from = "B",
            .to = "A",
            .data = "F",
            .mapping = {.direction = "write", .constraint = "conservative"},
            .substeps = true,
            .of_data = unbounded}}};
}

History accelerated(const std::string& acceleration) {
  return iterated(implicit_run(acceleration));
}

const std::string newton_parts = R"(<initial-relaxation value="0.3" enforce="false" />
  <max-used-iterations value="8" /><time-windows-reused value="3" />
  <data name="T" mesh="A-Mesh" scaling="1" /><data name="F" mesh="A-Mesh" scaling="1" />
  <filter type="QR2" limit="1e-9" /><preconditioner type="residual-sum" freeze-after="-1" />)";

std::string ils(const std::string& attributes = R"(reduced-time-grid="true")") {
  return "<acceleration:IQN-ILS " + attributes + ">" + newton_parts + "</acceleration:IQN-ILS>";
}

const std::string relaxation =
    R"(<acceleration:constant><relaxation value="0.5" /></acceleration:constant>)";

/// `control`: iterations and measures, beside a relaxation.
History relaxed(const std::string& control) {
  return iterated(implicit_run(relaxation, control));
}

/// What is said of windows and steps changes the iterations of the run.
void check_scheme(const Scenario& scenario) {
  const History before = iterated(scenario);
  const auto check_changed = [&](const std::string& attribute, const auto& change) {
    Scenario changed = scenario;
    change(changed.schemes[0], changed.flows[0]);
    CHECK_MESSAGE(iterated(changed) != before, attribute << " changes nothing");
  };
  check_changed("max-time-windows", [](Scheme& scheme, Flow&) { scheme.max_windows = 3; });
  check_changed("max-time", [](Scheme& scheme, Flow&) {
    scheme.max_windows = 0;
    scheme.max_time = 3.5;
  });
  check_changed("time-window-size", [](Scheme& scheme, Flow&) { scheme.window = 0.75; });
  check_changed("substeps", [](Scheme&, Flow& flow) { flow.substeps = false; });
}

} // namespace

TEST_CASE("every attribute of a quasi-Newton acceleration changes the iterations" *
          on_ranks(1, 1)) {
  check_changes(ils(),
                {{R"(value="0.3" enforce="false")", R"(value="0.2" enforce="false")"},
                 {"enforce=\"false\"", "enforce=\"true\""},
                 {"<max-used-iterations value=\"8\"", "<max-used-iterations value=\"2\""},
                 {"<time-windows-reused value=\"3\"", "<time-windows-reused value=\"0\""},
                 {"QR2\" limit=\"1e-9\"", "QR2\" limit=\"0.5\""},
                 {"QR2\" limit=\"1e-9\"", "QR1\" limit=\"0.5\""},
                 {"QR2\" limit=\"1e-9\"", "QR1-absolute\" limit=\"0.5\""},
                 {"QR2\" limit=\"1e-9\"", "QR3\" limit=\"0.5\""},
                 {"residual-sum", "constant"},
                 {"residual-sum", "value"},
                 {"residual-sum\"", "residual\""},
                 {"freeze-after=\"-1\"", "freeze-after=\"1\""},
                 {"freeze-after=\"-1\"", "update-on-threshold=\"false\""},
                 {"reduced-time-grid=\"true\"", "reduced-time-grid=\"false\""}},
                accelerated);
  const std::string unscaled = edited(ils(), "residual-sum", "constant");
  check_changes(unscaled,
                {{"scaling=\"1\" /><data name=\"F\"", "scaling=\"90\" /><data name=\"F\""}},
                accelerated);
}

TEST_CASE("every attribute of the restart of a Jacobian changes the iterations" * on_ranks(1, 1)) {
  const auto imvj = [](const std::string& restart) {
    return "<acceleration:IQN-IMVJ>" + newton_parts + restart + "</acceleration:IQN-IMVJ>";
  };
  const std::string svd =
      R"(<imvj-restart-mode type="RS-SVD" chunk-size="1" truncation-threshold="1e-4" />)";
  check_changes(imvj(svd),
                {{"RS-SVD", "no-restart"},
                 {"RS-SVD", "RS-0"},
                 {"RS-SVD", "RS-LS"},
                 {"RS-SVD", "RS-SLIDE"},
                 {"chunk-size=\"1\"", "chunk-size=\"3\""},
                 {"threshold=\"1e-4\"", "threshold=\"0.9\""}},
                accelerated);
  const std::string least =
      R"(<imvj-restart-mode type="RS-LS" chunk-size="1" reused-time-windows-at-restart="3" />)";
  check_changes(imvj(least), {{"restart=\"3\"", "restart=\"1\""}}, accelerated);
  check_changes(
      imvj(""),
      {{"<acceleration:IQN-IMVJ>", "<acceleration:IQN-IMVJ always-build-jacobian=\"true\">"}},
      accelerated);
}

TEST_CASE("what happens at a bound is what the attribute says" * on_ranks(1, 1)) {
  for (const std::size_t flow : {0, 1}) {
    const auto bounded = [flow](const std::string& acceleration, const std::string& bounds) {
      Scenario scenario = implicit_run(acceleration);
      scenario.flows[flow].of_data = bounds;
      return iterated(scenario);
    };
    const std::string bounds = R"(lower-bound="0.2" upper-bound="0.9")";
    CAPTURE(flow);
    check_changes(
        ils(R"(on-bound-violation="ignore")"),
        {{"\"ignore\"", "\"clamp\""}, {"\"ignore\"", "\"discard\""}, {"\"ignore\"", "\"scale\""}},
        [&](const std::string& acceleration) { return bounded(acceleration, bounds); });
    check_changes(bounds,
                  {{"lower-bound=\"0.2\"", "lower-bound=\"0.4\""},
                   {"upper-bound=\"0.9\"", "upper-bound=\"0.7\""}},
                  [&](const std::string& changed) {
                    return bounded(ils(R"(on-bound-violation="clamp")"), changed);
                  });
  }
}

TEST_CASE("bounds of vectors are per component" * on_ranks(1, 1)) {
  const std::string no_bounds = R"(lower-bound-x="-inf" lower-bound-y="-inf" lower-bound-z="-inf" )"
                                R"(upper-bound-x="inf" upper-bound-y="inf" upper-bound-z="inf")";
  Scenario scenario = implicit_run(ils(R"(on-bound-violation="clamp")"));
  for (Flow& flow : scenario.flows) {
    flow.vector = true;
    flow.meshes.dimensions = 3;
    flow.of_data = no_bounds;
  }
  std::vector<History> all{iterated(scenario, 3)};
  for (const std::string axis : {"x", "y", "z"}) {
    for (const std::string& bound :
         {"lower-bound-" + axis + "=\"-inf\"", "upper-bound-" + axis + "=\"inf\""}) {
      const std::string attribute = bound.substr(0, bound.find('='));
      const std::string tight = attribute + (bound[0] == 'l' ? "=\"1.7\"" : "=\"0.6\"");
      scenario.flows[0].of_data = edited(no_bounds, bound, tight);
      all.push_back(iterated(scenario, 3));
    }
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("attributes of relaxation change the iterations" * on_ranks(1, 1)) {
  check_changes(relaxation, {{"value=\"0.5\"", "value=\"0.6\""}}, accelerated);
  check_changes(R"(<acceleration:aitken><initial-relaxation value="0.5" />)"
                R"(<data name="T" mesh="A-Mesh" scaling="1" />)"
                R"(<data name="F" mesh="A-Mesh" scaling="1" />)"
                R"(</acceleration:aitken>)",
                {{"<initial-relaxation value=\"0.5\"", "<initial-relaxation value=\"0.4\""}},
                accelerated);
}

TEST_CASE("attributes of measures and of the scheme change the iterations" * on_ranks(1, 1)) {
  for (const std::string measure : {"absolute", "relative", "residual-relative"}) {
    const std::string control = ninety_nine + "<" + measure +
                                R"(-convergence-measure data="T" mesh="A-Mesh" limit="1e-3" />)";
    CAPTURE(measure);
    check_changes(control,
                  {{"limit=\"1e-3\"", "limit=\"1e-1\""},
                   {"data=\"T\" mesh=\"A-Mesh\" limit", "data=\"F\" mesh=\"A-Mesh\" limit"},
                   {"<min-iterations value=\"1\"", "<min-iterations value=\"90\""},
                   {"<max-iterations value=\"99\"", "<max-iterations value=\"2\""}},
                  relaxed);
    check_scheme(implicit_run(relaxation, control));
  }
  check_changes(
      ninety_nine + R"(<absolute-or-relative-convergence-measure data="T" mesh="A-Mesh" )"
                    R"(abs-limit="1e-9" rel-limit="1e-2" />)"
                    R"(<absolute-convergence-measure data="F" mesh="A-Mesh" limit="1e-4" />)",
      {{"abs-limit=\"1e-9\" rel-limit=\"1e-2\" />", // suffices
        "abs-limit=\"1e-9\" rel-limit=\"1e-2\" suffices=\"true\" />"},
       {"limit=\"1e-4\" />", "limit=\"0.5\" suffices=\"true\" />"},
       {"data=\"F\" mesh=\"A-Mesh\" limit=\"1e-4\"", "data=\"T\" mesh=\"A-Mesh\" limit=\"1e-1\""}},
      relaxed);
  check_changes(
      nine + R"(<absolute-or-relative-convergence-measure data="T" mesh="A-Mesh" )"
             R"(abs-limit="1e-9" rel-limit="1e-3" />)",
      {{"abs-limit=\"1e-9\"", "abs-limit=\"0.5\""}, {"rel-limit=\"1e-3\"", "rel-limit=\"0.2\""}},
      relaxed);
}
