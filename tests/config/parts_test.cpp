// SPDX-License-Identifier: BSD-3-Clause
// The parts of read() and of validate(), each alone.
#include "config/files.hpp"
#include "isthmus/config/read/read_parts.hpp"
#include "isthmus/config/validate/validate_parts.hpp"
#include "isthmus/grammar/grammar.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace isthmus;
using namespace isthmus::config;

namespace {

/// Of an element that stands alone, on the way `parents` below the root of the language.
template <typename Read>
auto read_alone(const Read& read, const std::string& text,
                const std::vector<std::string>& parents = {}) {
  const grammar::XmlElement element = grammar::parse_xml(text, "c.xml");
  const grammar::Tag* tag = &grammar::grammar();
  for (const std::string& parent : parents) {
    tag = tag->find_child(parent);
    REQUIRE(tag != nullptr);
  }
  tag = tag->find_child(element.name);
  REQUIRE(tag != nullptr);
  return read(grammar::Node(element, *tag));
}

Participant named(const std::string& name, int line) {
  Participant participant;
  participant.name = name;
  participant.line = line;
  return participant;
}

/// Participants A, B and C, each with a mesh, and nothing between them.
Configuration three() {
  Configuration all;
  all.file = "c.xml";
  Data data;
  data.name = "Pressure";
  all.data = {data};
  for (const std::string name : {"A", "B", "C"}) {
    all.meshes.push_back({"M" + name, 2, {"Pressure"}, 1});
    all.participants.push_back(named(name, 2));
    all.participants.back().provided.push_back({"M" + name, 3});
  }
  return all;
}

CouplingScheme scheme(SchemeKind kind, const std::string& first, const std::string& second,
                      int line) {
  CouplingScheme result;
  result.kind = kind;
  result.participants = {first, second};
  result.exchanges = {{"Pressure", "M" + first, first, second}};
  result.time_window.size = 1;
  result.max_time_windows = 3;
  result.line = line;
  return result;
}

} // namespace

TEST_CASE("a mapping is read with what its kind means where nothing is said") {
  const auto read = [](const std::string& text) {
    return read_alone(read_mapping, text, {"participant"});
  };
  const Mapping nearest = read(
      "\n<mapping:nearest-neighbor direction=\"write\" to=\"B\" constraint=\"conservative\" />");
  CHECK(nearest.kind == MappingKind::nearest_neighbor);
  CHECK(nearest.direction == config::Direction::write);
  CHECK(nearest.constraint == Constraint::conservative);
  CHECK(nearest.just_in_time());
  CHECK(nearest.line == 2);
  CHECK_FALSE(nearest.is_radial_basis());

  const std::string names = " direction=\"read\" from=\"A\" to=\"B\" constraint=\"consistent\">";
  const std::string gaussian = "<basis-function:gaussian shape-parameter=\"2\" />";
  const Mapping simple = read("<mapping:rbf" + names + gaussian + "</mapping:rbf>");
  CHECK(simple.is_radial_basis());
  CHECK_FALSE(simple.just_in_time());
  CHECK(simple.radial_basis.clusters.vertices_per_cluster == 100); // of its own
  CHECK(simple.radial_basis.clusters.relative_overlap == 0.3);
  CHECK(simple.radial_basis.function->shape_parameter == 2);
  CHECK(std::isnan(simple.radial_basis.function->support_radius));
  const Mapping pum =
      read("<mapping:rbf-pum-direct" + names + gaussian + "</mapping:rbf-pum-direct>");
  CHECK(pum.radial_basis.clusters.vertices_per_cluster == 50);
  CHECK(pum.radial_basis.clusters.relative_overlap == 0.15);
  CHECK(pum.radial_basis.executor.is_host());
}

TEST_CASE("a participant is read in the order of its tags") {
  const Participant read = read_alone(read_participant, R"(<participant name="A">
<provide-mesh name="Second" /><receive-mesh name="X" from="B" api-access="true" />
<provide-mesh name="First" />
<write-data name="D" mesh="Second" /><read-data name="E" mesh="First" />
<action:python timing="read-mapping-post" mesh="First"><path name="scripts" />
<module name="double" /><source-data name="E" /></action:python>
</participant>)");
  REQUIRE(read.provided.size() == 2);
  CHECK(read.provided[0].name == "Second");
  CHECK(read.provided[1].name == "First");
  CHECK(read.provided[1].line == 3);
  CHECK(read.receives("X")->api_access);
  CHECK(read.receives("X")->safety_factor == 0.5);
  CHECK(read.writes("D", "Second"));
  CHECK(read.reads("E", "First"));
  REQUIRE(read.actions.size() == 1);
  CHECK(read.actions[0].timing == ActionTiming::read_mapping_post);
  CHECK(read.actions[0].path == "scripts");
  CHECK(read.actions[0].module == "double");
  CHECK(read.actions[0].source_data == std::vector<std::string>{"E"});
  CHECK(read.actions[0].target_data.empty());
}

TEST_CASE("a scheme of several is read with its controller, if there is exactly one") {
  const auto read = [](const std::string& second) {
    return read_alone(read_scheme, R"(<coupling-scheme:multi>
<participant name="A" control="yes" /><participant name="B" control=")" +
                                       second +
                                       R"(" />
<max-time value="2" /><time-window-size value="0.5" />
<exchange data="D" mesh="M" from="A" to="B" /></coupling-scheme:multi>)");
  };
  const CouplingScheme one = read("no");
  CHECK(one.controller == "A");
  CHECK(one.participants == std::vector<std::string>{"A", "B"});
  CHECK(one.max_time == 2);
  CHECK_FALSE(one.max_time_windows.has_value());
  CHECK(one.time_window.size == 0.5);
  CHECK(one.exchanges.at(0).substeps); // as in every implicit scheme
  CHECK(one.min_iterations == 1);
  CHECK_FALSE(one.max_iterations.has_value());
  CHECK(read("yes").controller.empty());
}

TEST_CASE("an acceleration is read with what its kind takes where nothing is said") {
  const auto read = [](const std::string& kind) {
    const std::string tag = "acceleration:" + kind;
    return read_alone(read_scheme,
                      "<coupling-scheme:parallel-implicit>"
                      "<participants first=\"A\" second=\"B\" /><" +
                          tag + "><data name=\"D\" mesh=\"M\" /></" + tag +
                          "><max-time value=\"2\" /><time-window-size value=\"1\" />"
                          "<exchange data=\"D\" mesh=\"M\" from=\"A\" to=\"B\" />"
                          "</coupling-scheme:parallel-implicit>")
        .acceleration.value();
  };
  CHECK(read("aitken").relaxation == 0.5);
  for (const std::string kind : {"IQN-ILS", "IQN-IMVJ"}) {
    const Acceleration one = read(kind);
    const bool builds_jacobian = kind == "IQN-IMVJ";
    CHECK(one.relaxation == 0.1);
    CHECK_FALSE(one.enforce_initial_relaxation);
    CHECK(one.quasi_newton.max_used_iterations == (builds_jacobian ? 20 : 100));
    CHECK(one.quasi_newton.time_windows_reused == (builds_jacobian ? 0 : 10));
    CHECK(one.quasi_newton.filter.type == FilterType::qr3);
    CHECK(one.quasi_newton.filter.limit == 1e-2);
    CHECK(one.quasi_newton.reduced_time_grid);
    CHECK(one.quasi_newton.on_bound_violation == OnBoundViolation::ignore);
    CHECK_FALSE(one.quasi_newton.always_build_jacobian);
    CHECK(one.preconditioner.type == PreconditionerType::residual_sum);
    CHECK(one.preconditioner.update_on_threshold);
    CHECK(one.preconditioner.freeze_after == -1);
    CHECK(one.quasi_newton.restart.mode == RestartMode::svd);
    CHECK(one.quasi_newton.restart.chunk_size == 8);
    CHECK(one.quasi_newton.restart.reused_time_windows == 8);
    CHECK(one.quasi_newton.restart.truncation_threshold == 1e-4);
  }
}

TEST_CASE("names are told apart, and lines of both are said where they are not") {
  Configuration all = three();
  CHECK(names_of(all.participants) == std::vector<std::string>{"A", "B", "C"});
  CHECK(names_of(std::vector<Data>{}).empty());
  const auto says = [&] {
    return message_of([&] { check_names(all, all.participants, "participant", "the file"); });
  };
  CHECK(says() == "no error");
  all.participants.push_back(named("B", 9));
  CHECK(says() ==
        "c.xml:9: <participant name=\"B\"> stands twice in the file, also in line 2; remove or "
        "rename one");
  all.participants.back().name.clear();
  CHECK(says() == "c.xml:9: <participant name=\"\">: give it a name");
}

TEST_CASE("a name refers to what has it, or the tag that uses it is told what there is") {
  const Configuration all = three();
  CHECK(&known_data(all, "Pressure", 4, "<x>") == &all.data[0]);
  CHECK(&known_mesh(all, "MB", 4, "<x>") == &all.meshes[1]);
  CHECK(&known_participant(all, "C", 4, "<x>") == &all.participants[2]);
  CHECK(message_of([&] { known_data(all, "Presure", 4, "<x>"); })
            .find("c.xml:4: <x> data \"Presure\" is not defined by any <data:scalar> or "
                  "<data:vector>; did you mean \"Pressure\"?") == 0);
  CHECK(message_of([&] {
          known_mesh(all, "Q", 5, "<y>");
        }).find("c.xml:5: <y> mesh \"Q\" is not defined by any <mesh>") == 0);
  CHECK(message_of([&] {
          known_participant(all, "Q", 6, "<z>");
        }).find("c.xml:6: <z> participant \"Q\" is not defined by any <participant>") == 0);
}

TEST_CASE("participants that exchange something need a way to talk, in either direction") {
  Configuration all = three();
  M2N m2n;
  m2n.acceptor = "A";
  m2n.connector = "B";
  all.m2ns = {m2n};
  CHECK_NOTHROW(check_m2n(all, "A", "B", 1));
  CHECK_NOTHROW(check_m2n(all, "B", "A", 1));
  CHECK(message_of([&] { check_m2n(all, "B", "C", 7); }) ==
        "c.xml:7: participants \"B\" and \"C\" exchange data or meshes but have no way to talk; "
        "add <m2n:sockets acceptor=\"B\" connector=\"C\" />");
}

TEST_CASE("participants in a ring of serial schemes wait for each other, in a chain they do not") {
  Configuration all = three();
  all.schemes = {scheme(SchemeKind::serial_explicit, "A", "B", 11),
                 scheme(SchemeKind::serial_explicit, "B", "C", 12)};
  CHECK_NOTHROW(validate_order(all));
  all.schemes.push_back(scheme(SchemeKind::serial_explicit, "C", "A", 13));
  CHECK(message_of([&] {
          validate_order(all);
        }).find("c.xml:11: participants A, B, C would wait for each other in initialize()") == 0);
  all.schemes.back().kind = SchemeKind::parallel_explicit;
  CHECK_NOTHROW(validate_order(all));
  all.schemes.clear();
  CHECK_NOTHROW(validate_order(all));
}

TEST_CASE("iterations end by a measure or by their number") {
  Configuration all = three();
  all.schemes = {scheme(SchemeKind::parallel_implicit, "A", "B", 11)};
  CouplingScheme& only = all.schemes[0];
  const auto says = [&] { return message_of([&] { validate_iterations(all, only); }); };
  CHECK(says().find("c.xml:11: <coupling-scheme:parallel-implicit> would iterate forever") == 0);
  only.max_iterations = 5;
  CHECK(says() == "no error");
  only.min_iterations = 6;
  CHECK(says().find("min-iterations=\"6\" exceeds max-iterations=\"5\"") != std::string::npos);
  only.min_iterations = 0;
  CHECK(says().find("min-iterations=\"0\" must be at least 1") != std::string::npos);
  only.min_iterations = 1;
  only.max_iterations.reset();
  only.measures = {{MeasureKind::relative, "Pressure", "MA", 1e-3}};
  CHECK(says() == "no error");
  only.measures[0].mesh = "MB"; // not exchanged
  CHECK(says().find("is not exchanged in this scheme") != std::string::npos);
}

TEST_CASE("a participant and its mappings are checked where they stand") {
  Configuration all = three();
  Participant& a = all.participants[0];
  CHECK_NOTHROW(validate_participant(all, a));
  a.written = {{"Pressure", "MB", 21}};
  CHECK(message_of([&] { validate_participant(all, a); })
            .find("c.xml:21: <write-data name=\"Pressure\" mesh=\"MB\"> participant \"A\" neither "
                  "provides nor receives mesh \"MB\"") == 0);
  a.written = {{"Pressure", "MA", 21}, {"Pressure", "MA", 22}};
  CHECK(message_of([&] { validate_participant(all, a); }).find("stands twice, also in line 22") !=
        std::string::npos);
  a.written.clear();
  Mapping mapping;
  mapping.from = "MA";
  mapping.to = "MA";
  mapping.line = 23;
  a.mappings = {mapping};
  const std::string text = message_of([&] { validate_mappings(all, a); });
  CHECK_MESSAGE(text.find("c.xml:23: ") == 0, text);
  CHECK_MESSAGE(text.find("to itself") != std::string::npos, text);
  a.mappings.clear();
  CHECK_NOTHROW(validate_mappings(all, a));
}

TEST_CASE("the rules of all schemes are checked together") {
  Configuration all = three();
  all.schemes = {scheme(SchemeKind::serial_explicit, "A", "B", 11)};
  M2N m2n;
  m2n.acceptor = "A";
  m2n.connector = "B";
  all.m2ns = {m2n};
  all.participants[0].written = {{"Pressure", "MA", 21}};
  all.participants[1].received = {{"MA", "A"}};
  const auto says = [&] { return message_of([&] { validate_schemes(all); }); };
  CHECK(says() == "no error");
  all.schemes[0].time_window.size = 0;
  CHECK_MESSAGE(says().find("c.xml:11: ") == 0, says());
  all.schemes[0].time_window.size = 1;
  all.schemes[0].participants[1] = "D";
  CHECK_MESSAGE(says().find("participant \"D\" is not defined") != std::string::npos, says());
  all.m2ns.clear();
  all.schemes[0].participants[1] = "B";
  CHECK_MESSAGE(says().find("no way to talk") != std::string::npos, says());
}
