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
History iterated(const std::string& xml, std::size_t width) {
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
  const Table told = run(xml, {{"A", play}, {"B", play}}, in_threads);
  History all = told.at("A").begin()->second;
  const History& of_b = told.at("B").begin()->second;
  all.insert(all.end(), of_b.begin(), of_b.end());
  return all;
}

History iterated_scalars(const std::string& xml) {
  return iterated(xml, 1);
}

std::string implicit_run(const std::string& acceleration, const std::string& more = "") {
  const std::string measures =
      more.empty() ? R"(<relative-convergence-measure data="T" mesh="A-Mesh" limit="1e-6" />)"
                   : more;
  const std::string unbounded = R"(lower-bound="-inf" upper-bound="inf")";
  const Scenario scenario{
      {{.first = "A",
        .second = "B",
        .kind = "parallel-implicit",
        .max_windows = 4,
        .control = R"(<min-iterations value="1" /><max-iterations value="9" />)" + measures +
                   acceleration}},
      {{.from = "A", .to = "B", .data = "T", .substeps = true, .of_data = unbounded},
       {.from = "B",
        .to = "A",
        .data = "F",
        .mapping = {.direction = "write", .constraint = "conservative"},
        .substeps = true,
        .of_data = unbounded}}};
  return scenario.xml();
}

const std::string newton_parts = R"(<initial-relaxation value="0.3" enforce="false" />
  <max-used-iterations value="8" /><time-windows-reused value="3" />
  <data name="T" mesh="A-Mesh" scaling="1" /><data name="F" mesh="A-Mesh" scaling="1" />
  <filter type="QR2" limit="1e-9" /><preconditioner type="residual-sum" freeze-after="-1" />)";

std::string ils(const std::string& attributes = R"(reduced-time-grid="true")") {
  return "<acceleration:IQN-ILS " + attributes + ">" + newton_parts + "</acceleration:IQN-ILS>";
}

} // namespace

TEST_CASE("every attribute of a quasi-Newton acceleration changes the iterations" *
          on_ranks(1, 1)) {
  const std::string text = implicit_run(ils());
  check_changes(text,
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
                iterated_scalars);
  const std::string unscaled = edited(text, "residual-sum", "constant");
  check_changes(unscaled,
                {{"scaling=\"1\" /><data name=\"F\"", "scaling=\"90\" /><data name=\"F\""}},
                iterated_scalars);
}

TEST_CASE("every attribute of the restart of a Jacobian changes the iterations" * on_ranks(1, 1)) {
  const auto text = [](const std::string& restart) {
    return implicit_run("<acceleration:IQN-IMVJ>" + newton_parts + "<imvj-restart-mode " + restart +
                        " /></acceleration:IQN-IMVJ>");
  };
  const std::string svd = R"(type="RS-SVD" chunk-size="1" truncation-threshold="1e-4")";
  check_changes(text(svd),
                {{"RS-SVD", "no-restart"},
                 {"RS-SVD", "RS-0"},
                 {"RS-SVD", "RS-LS"},
                 {"RS-SVD", "RS-SLIDE"},
                 {"chunk-size=\"1\"", "chunk-size=\"3\""},
                 {"threshold=\"1e-4\"", "threshold=\"0.9\""}},
                iterated_scalars);
  const std::string least = R"(type="RS-LS" chunk-size="1" reused-time-windows-at-restart="3")";
  check_changes(text(least), {{"restart=\"3\"", "restart=\"1\""}}, iterated_scalars);
  check_changes(
      implicit_run("<acceleration:IQN-IMVJ>" + newton_parts + "</acceleration:IQN-IMVJ>"),
      {{"<acceleration:IQN-IMVJ>", "<acceleration:IQN-IMVJ always-build-jacobian=\"true\">"}},
      iterated_scalars);
}

TEST_CASE("what happens at a bound is what the attribute says" * on_ranks(1, 1)) {
  for (const std::string data : {"T", "F"}) {
    const std::string bounded =
        edited(implicit_run(ils(R"(on-bound-violation="ignore")")),
               "name=\"" + data + R"(" waveform-degree="1" lower-bound="-inf" upper-bound="inf")",
               "name=\"" + data + R"(" waveform-degree="1" lower-bound="0.2" upper-bound="0.9")");
    CAPTURE(data);
    check_changes(
        bounded,
        {{"\"ignore\"", "\"clamp\""}, {"\"ignore\"", "\"discard\""}, {"\"ignore\"", "\"scale\""}},
        iterated_scalars);
    const std::string clamped = edited(bounded, "\"ignore\"", "\"clamp\"");
    check_changes(clamped,
                  {{"lower-bound=\"0.2\"", "lower-bound=\"0.4\""},
                   {"upper-bound=\"0.9\"", "upper-bound=\"0.7\""}},
                  iterated_scalars);
  }
}

TEST_CASE("bounds of vectors are per component" * on_ranks(1, 1)) {
  const auto replaced = [](std::string text, const std::string& old, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
      text.replace(at, old.size(), by);
    }
    return text;
  };
  std::string text = implicit_run(ils(R"(on-bound-violation="clamp")"));
  text = replaced(text, "data:scalar", "data:vector");
  text = replaced(text, R"(lower-bound="-inf" upper-bound="inf")",
                  R"(lower-bound-x="-inf" lower-bound-y="-inf" lower-bound-z="-inf" )"
                  R"(upper-bound-x="inf" upper-bound-y="inf" upper-bound-z="inf")");
  text = replaced(text, "dimensions=\"2\"", "dimensions=\"3\"");
  std::vector<History> all{iterated(text, 3)};
  for (const std::string axis : {"x", "y", "z"}) {
    for (const std::string& bound :
         {"lower-bound-" + axis + "=\"-inf\"", "upper-bound-" + axis + "=\"inf\""}) {
      const std::string attribute = bound.substr(0, bound.find('='));
      const std::string tight = attribute + (bound[0] == 'l' ? "=\"1.7\"" : "=\"0.6\"");
      all.push_back(iterated(edited(text, bound, tight), 3));
    }
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("attributes of relaxation change the iterations" * on_ranks(1, 1)) {
  check_changes(implicit_run(R"(<acceleration:constant><relaxation value="0.5" />)"
                             "</acceleration:constant>"),
                {{"value=\"0.5\"", "value=\"0.6\""}}, iterated_scalars);
  check_changes(implicit_run(R"(<acceleration:aitken><initial-relaxation value="0.5" />)"
                             R"(<data name="T" mesh="A-Mesh" scaling="1" />)"
                             R"(<data name="F" mesh="A-Mesh" scaling="1" />)"
                             R"(</acceleration:aitken>)"),
                {{"<initial-relaxation value=\"0.5\"", "<initial-relaxation value=\"0.4\""}},
                iterated_scalars);
}

TEST_CASE("attributes of measures and of the scheme change the iterations" * on_ranks(1, 1)) {
  const std::string relaxation =
      R"(<acceleration:constant><relaxation value="0.5" /></acceleration:constant>)";
  for (const std::string measure : {"absolute", "relative", "residual-relative"}) {
    const std::string text =
        edited(implicit_run(relaxation,
                            "<" + measure +
                                R"(-convergence-measure data="T" mesh="A-Mesh" limit="1e-3" />)"),
               "<max-iterations value=\"9\"", "<max-iterations value=\"99\"");
    CAPTURE(measure);
    check_changes(text,
                  {{"limit=\"1e-3\"", "limit=\"1e-1\""},
                   {"data=\"T\" mesh=\"A-Mesh\" limit", "data=\"F\" mesh=\"A-Mesh\" limit"},
                   {"<min-iterations value=\"1\"", "<min-iterations value=\"90\""},
                   {"<max-iterations value=\"99\"", "<max-iterations value=\"2\""},
                   {"<max-time-windows value=\"4\"", "<max-time-windows value=\"3\""},
                   {"<max-time-windows value=\"4\"", "<max-time value=\"3.5\""},
                   {"<time-window-size value=\"1\"", "<time-window-size value=\"0.75\""},
                   {"substeps=\"true\"", "substeps=\"false\""}},
                  iterated_scalars);
  }
  const auto patient = [&](const std::string& measures) {
    return edited(implicit_run(relaxation, measures), "<max-iterations value=\"9\"",
                  "<max-iterations value=\"99\"");
  };
  const std::string two =
      patient(R"(<absolute-or-relative-convergence-measure data="T" mesh="A-Mesh" )"
              R"(abs-limit="1e-9" rel-limit="1e-2" />)"
              R"(<absolute-convergence-measure data="F" mesh="A-Mesh" limit="1e-4" />)");
  check_changes(
      two,
      {{"abs-limit=\"1e-9\" rel-limit=\"1e-2\" />", // suffices
        "abs-limit=\"1e-9\" rel-limit=\"1e-2\" suffices=\"true\" />"},
       {"limit=\"1e-4\" />", "limit=\"0.5\" suffices=\"true\" />"},
       {"data=\"F\" mesh=\"A-Mesh\" limit=\"1e-4\"", "data=\"T\" mesh=\"A-Mesh\" limit=\"1e-1\""}},
      iterated_scalars);
  const std::string alone = implicit_run(
      relaxation, R"(<absolute-or-relative-convergence-measure data="T" mesh="A-Mesh" )"
                  R"(abs-limit="1e-9" rel-limit="1e-3" />)");
  check_changes(
      alone,
      {{"abs-limit=\"1e-9\"", "abs-limit=\"0.5\""}, {"rel-limit=\"1e-3\"", "rel-limit=\"0.2\""}},
      iterated_scalars);
}
