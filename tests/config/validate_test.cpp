// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/validate/validate.hpp"
#include "config/files.hpp"
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/validate/support.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::config;

namespace {

/// An edit that breaks a rule, and part of what the error says.
struct Fault {
  std::string old;
  std::string by;
  std::string says;
};

void check_faults(const std::string& file, const std::vector<Fault>& faults) {
  const std::string text = text_of(file);
  for (const Fault& fault : faults) {
    const std::string message =
        message_of([&] { validate(parse(edited(text, fault.old, fault.by), file)); });
    CHECK_MESSAGE(message.find(fault.says) != std::string::npos, fault.by << " -> " << message);
    CHECK_MESSAGE(message.find(file + ":") == 0, message);
  }
}

} // namespace

TEST_CASE("valid configurations are valid") {
  for (const char* file : {"pipe.xml", "flap.xml", "reactor.xml"}) {
    CHECK_NOTHROW(validate(read(path_of(file))));
  }
}

TEST_CASE("rules of names, data and meshes") {
  check_faults(
      "pipe.xml",
      {{"name=\"Heat\" />", "name=\"Temperature\" />",
        "9: <data name=\"Temperature\"> stands twice"},
       {"<participant name=\"Wall\"", "<participant name=\"../Wall\"", "has a slash"},
       {"<mesh name=\"WallMesh\"", "<mesh name=\"WaterMesh\"",
        "<mesh name=\"WaterMesh\"> stands twice"},
       {"<participant name=\"Wall\"", "<participant name=\"Water\"", "stands twice"},
       {"<participant name=\"Wall\"", "<participant name=\"\"", "give it a name"},
       {"<use-data name=\"Heat\" />", "<use-data name=\"Heath\" />", "did you mean \"Heat\"?"},
       {"<use-data name=\"Heat\" />", "<use-data name=\"Temperature\" />", "twice"},
       {"name=\"Heat\" />", "name=\"Heat\" waveform-degree=\"-1\" />", "waveform-degree=\"-1\""},
       {"name=\"Heat\" />", "name=\"Heat\" lower-bound=\"2\" upper-bound=\"1\" />",
        "above its upper"},
       {"<provide-mesh name=\"WallMesh\" />",
        "<provide-mesh name=\"WallMesh\" /><provide-mesh name=\"WaterMesh\" />",
        "is provided by participant \"Water\" and by \"Wall\""},
       {"<provide-mesh name=\"WallMesh\" />", "<provide-mesh name=\"WalMesh\" />",
        "did you mean \"WallMesh\"?"},
       {"<provide-mesh name=\"WallMesh\" />", "", "add <provide-mesh name=\"WallMesh\" />"},
       {"from=\"Wall\" safety", "from=\"Water\" safety", "receives from itself"},
       {"from=\"Wall\" safety", "from=\"Ghost\" safety", "participant \"Ghost\" is not defined"},
       {"safety-factor=\"0.1\"", "safety-factor=\"-0.1\"", "safety-factor=\"-0.1\" is negative"},
       {"<write-data name=\"Heat\" mesh=\"WaterMesh\" />",
        "<write-data name=\"Heat\" mesh=\"WallMesh\" />", "api-access=\"true\""},
       {"<write-data name=\"Temperature\" mesh=\"WallMesh\" />",
        "<write-data name=\"Temperature\" mesh=\"WaterMesh\" />", "neither provides nor receives"},
       {"<use-data name=\"Temperature\" />", "", "does not carry data \"Temperature\""},
       {"%Severity% >", "%Severity% >>", "filter="},
       {"<log>", "<profiling flush-every=\"-1\" /><log>", "flush-every=\"-1\""}});
}

TEST_CASE("rules of outputs and actions") {
  check_faults(
      "flap.xml",
      {{"every-n-time-windows=\"5\"", "every-n-time-windows=\"0\"", "must be 1 or more"},
       {"name=\"Tip\" mesh=\"Flap-Mesh\"", "name=\"Tip\" mesh=\"Air-Nodes\"",
        "does not provide mesh \"Air-Nodes\""},
       {"coordinate=\"0.0; 1\"", "coordinate=\"0.0;1;2\"", "<watch-point name=\"Tip\"> has 3"},
       {"name=\"Total\" mesh=\"Flap-Mesh\"", "name=\"Total\" mesh=\"Flap\"",
        "did you mean \"Flap-Mesh\"?"},
       {"<target-data name=\"Force\" />", "<target-data name=\"Displacement\" />",
        "does not carry data \"Displacement\""},
       {"<action:multiply-by-area timing=\"write-mapping-post\" mesh=\"Air-Faces\">",
        "<action:multiply-by-area timing=\"write-mapping-post\" mesh=\"Air\">", "did you mean"}});
}

TEST_CASE("a sum that is one of its own sources is refused") {
  const std::string by_area =
      "<action:multiply-by-area timing=\"write-mapping-post\" "
      "mesh=\"Air-Faces\">\n"
      "      <target-data name=\"Force\" />\n"
      "    </action:multiply-by-area>";
  check_faults("flap.xml", {{by_area,
                             "<action:summation timing=\"write-mapping-post\" mesh=\"Air-Faces\">"
                             "<source-data name=\"Force\" /><target-data name=\"Force\" />"
                             "</action:summation>",
                             "37: <action:summation mesh=\"Air-Faces\"> has data \"Force\" as a "
                             "source and as its target"}});
}

TEST_CASE("rules of mappings") {
  const std::string write =
      "direction=\"write\" from=\"WaterMesh\" to=\"WallMesh\" constraint=\"conservative\"";
  check_faults(
      "pipe.xml",
      {{"direction=\"write\" from", "direction=\"read\" from", "wrong direction"},
       {write, "direction=\"write\" from=\"WaterMesh\" to=\"WaterMesh\" constraint=\"consistent\"",
        "to itself"},
       {write, "direction=\"write\" constraint=\"consistent\"", "names no mesh"},
       {write, "direction=\"write\" from=\"WaterMesh\" constraint=\"conservative\"", "lacks to="},
       {write, "direction=\"write\" to=\"WallMesh\" constraint=\"conservative\"",
        "experimental=\"true\""},
       {write, "direction=\"read\" from=\"WallMesh\" to=\"WaterMesh\" constraint=\"consistent\"",
        "second mapping from \"WallMesh\" to \"WaterMesh\""},
       {"<mesh name=\"WallMesh\" dimensions=\"3\"", "<mesh name=\"WallMesh\" dimensions=\"2\"",
        "different dimensions"},
       {"nearest-neighbor direction", "nearest-neighbor-gradient direction", "is experimental"},
       {"mapping:nearest-neighbor direction", "mapping:rbf direction",
        "lacks a <basis-function:"}});
  check_faults(
      "flap.xml",
      {{"support-radius=\"0.05\"", "support-radius=\"0\"", "support-radius=\"0\" must be positive"},
       {"shape-parameter=\"3.5\"", "", "not none"},
       {"shape-parameter=\"3.5\"", "shape-parameter=\"3.5\" support-radius=\"1\"", "not both"},
       {"shape-parameter=\"3.5\"", "shape-parameter=\"-3.5\"", "must be positive"},
       {"relative-overlap=\"0.25\"", "relative-overlap=\"1\"", "between 0 and 1"},
       {"executor:openmp n-threads=\"4\"", "executor:hip", "<executor:hip> needs"},
       {"relative-overlap=\"0.25\"", "vertices-per-cluster=\"0\"", "vertices-per-cluster=\"0\""},
       {"y-dead=\"1\"", "x-dead=\"1\" y-dead=\"1\"", "ignores all axes"}});
  check_faults(
      "reactor.xml",
      {{"solver-rtol=\"1e-6\"", "solver-rtol=\"0\"", "solver-rtol=\"0\" must be positive"},
       {"<receive-mesh name=\"Core\" from=\"Neutrons\" api-access=\"true\" />",
        "<receive-mesh name=\"Core\" from=\"Neutrons\" />", "api-access=\"true\""},
       {"from=\"Core\" constraint=\"consistent\"", "from=\"Core\" constraint=\"conservative\"",
        "constraint=\"consistent\" for direction=\"read\""},
       {"<mapping:nearest-neighbor",
        "<mapping:nearest-neighbor direction=\"read\" from=\"Core\" constraint=\"consistent\" />"
        "<mapping:nearest-neighbor",
        "second mapping just in time of mesh \"Core\""},
       {"mapping:nearest-neighbor", "mapping:nearest-projection", "cannot map just in time"}});
}

TEST_CASE("a direct solver of definite kernels has no polynomial in its system") {
  const auto message = [](const std::string& kind, const std::string& basis) {
    const std::string pipe =
        edited(text_of("pipe.xml"),
               "mapping:nearest-neighbor direction=\"write\" from=\"WaterMesh\" "
               "to=\"WallMesh\" constraint=\"conservative\" />",
               "mapping:" + kind +
                   " polynomial=\"on\" direction=\"write\" from=\"WaterMesh\" to=\"WallMesh\" "
                   "constraint=\"conservative\"><basis-function:" +
                   basis + " /></mapping:" + kind + ">");
    return message_of([&] { validate(parse(pipe, "p.xml")); });
  };
  const std::string definite = "gaussian shape-parameter=\"2\"";
  CHECK(message("rbf-global-direct", definite).find("use \"separate\" or \"off\"") !=
        std::string::npos);
  CHECK(message("rbf-global-direct", "volume-splines") == "no error");
  CHECK(message("rbf-global-iterative", definite) == "no error");
}

TEST_CASE("two mappings may not bring the same data to one mesh") {
  const std::string reactor = edited(
      edited(text_of("reactor.xml"),
             "<use-data name=\"Density\" />\n    <use-data name=\"Dose\" />\n",
             "<use-data name=\"Density\" />\n<use-data name=\"Dose\" />\n</mesh>\n"
             "<mesh name=\"Shell\" dimensions=\"3\"><use-data name=\"Power\" />\n"),
      "<provide-mesh name=\"Core\" />",
      "<provide-mesh name=\"Core\" /><provide-mesh name=\"Shell\" /><write-data name=\"Power\" "
      "mesh=\"Shell\" />");
  const std::string twice = edited(
      edited(reactor, "<read-data name=\"Power\" mesh=\"Vessel\" />",
             "<read-data name=\"Power\" mesh=\"Vessel\" /><receive-mesh name=\"Shell\" "
             "from=\"Neutrons\" />\n<mapping:nearest-neighbor direction=\"read\" from=\"Shell\" "
             "to=\"Vessel\" constraint=\"consistent\" />"),
      "<exchange data=\"Power\" mesh=\"Core\" from=\"Neutrons\" to=\"Steel\" />",
      "<exchange data=\"Power\" mesh=\"Core\" from=\"Neutrons\" to=\"Steel\" />"
      "<exchange data=\"Power\" mesh=\"Shell\" from=\"Neutrons\" to=\"Steel\" />");
  CHECK(message_of([&] {
          validate(parse(twice, "r.xml"));
        }).find("brings data \"Power\" to mesh \"Vessel\", as does") != std::string::npos);
  const std::string once = edited(
      twice, "<exchange data=\"Power\" mesh=\"Shell\" from=\"Neutrons\" to=\"Steel\" />", "");
  CHECK_NOTHROW(validate(parse(once, "r.xml")));
}

TEST_CASE("a mapping carries what is exchanged and used") {
  const Configuration flap = read(path_of("flap.xml"));
  const Participant& air = *flap.find_participant("Air");
  CHECK(mapped_data(flap, air, air.mappings.at(0)) == std::vector<std::string>{"Force"});
  CHECK(mapped_data(flap, air, air.mappings.at(1)) == std::vector<std::string>{"Displacement"});
  const Configuration reactor = read(path_of("reactor.xml"));
  const Participant& watch = *reactor.find_participant("Watch");
  CHECK(mapped_data(reactor, watch, watch.mappings.at(0)) == std::vector<std::string>{"Dose"});
}

TEST_CASE("rules of communication") {
  const std::string m2n = "<m2n:sockets acceptor=\"Water\" connector=\"Wall\"";
  check_faults(
      "pipe.xml",
      {{m2n, "<m2n:sockets acceptor=\"Water\" connector=\"Wal\"", "did you mean \"Wall\"?"},
       {m2n, "<m2n:sockets acceptor=\"Water\" connector=\"Water\"", "with itself"},
       {m2n, "<m2n:mpi acceptor=\"Wall\" connector=\"Water\" />\n  " + m2n,
        "already joined in line 35"},
       {m2n, m2n + " port=\"70000\"", "port=\"70000\" is no port"},
       {m2n, m2n + " use-two-level-initialization=\"true\" initialization=\"one-level\"",
        "contradicts"},
       {m2n, m2n + " initialization=\"two-level\" enforce-gather-scatter=\"on\"", "keep one"}});
  check_faults("reactor.xml",
               {{"connector=\"Steel\"", "connector=\"Steel\" initialization=\"two-level\"",
                 "one receiver per mesh"},
                {"<m2n:mpi-multiple-ports acceptor=\"Watch\" connector=\"Neutrons\" />", "",
                 "acceptor=\"Watch\" connector=\"Neutrons\" />"}});
}

TEST_CASE("rules of coupling schemes and exchanges") {
  check_faults(
      "pipe.xml",
      {{"second=\"Wall\"", "second=\"Water\"", "twice"},
       {"second=\"Wall\"", "second=\"Flap\"", "participant \"Flap\" is not defined"},
       {"<max-time value=\"2.5\" />", "", "never ends"},
       {"<max-time value=\"2.5\" />", "<max-time value=\"0\" />", "max-time=\"0\""},
       {"<max-time value=\"2.5\" />", "<max-time-windows value=\"0\" />", "max-time-windows=\"0\""},
       {"value=\"0.5\"", "", "time-window-size=\"-1\" must be positive"},
       {"data=\"Heat\" mesh=\"WallMesh\" from", "data=\"Heat\" mesh=\"WaterMesh\" from",
        "provided by one of the two participants and received by the other"},
       {"from=\"Water\" to=\"Wall\"", "from=\"Water\" to=\"Water\"", "to itself"},
       {"from=\"Water\" to=\"Wall\"", "from=\"Wall\" to=\"Water\"",
        "participant \"Wall\" never writes data \"Heat\""},
       {"<write-data name=\"Heat\" mesh=\"WaterMesh\" />", "", "never writes data \"Heat\""},
       {"<write-data name=\"Heat\" mesh=\"WaterMesh\" />",
        "<write-data name=\"Heat\" mesh=\"WaterMesh\" />\n"
        "<read-data name=\"Heat\" mesh=\"WaterMesh\" />",
        "participant \"Water\" can read or write data \"Heat\" on mesh \"WaterMesh\" only once, "
        "but "
        "does both, here and in line"},
       {"<write-data name=\"Heat\" mesh=\"WaterMesh\" />", // after it is mapped
        "<action:python timing=\"write-mapping-post\" mesh=\"WaterMesh\"><module name=\"m\" />"
        "<target-data name=\"Heat\" /></action:python>",
        "never writes data \"Heat\""},
       {"<read-data name=\"Heat\" mesh=\"WallMesh\" />",
        "<write-data name=\"Heat\" mesh=\"WallMesh\" />",
        "participant \"Wall\" writes data \"Heat\" to mesh \"WallMesh\" itself"},
       {"initialize=\"true\" />",
        "/>\n<exchange data=\"Temperature\" mesh=\"WallMesh\" from=\"Wall\" to=\"Water\" />",
        "stands twice"},
       {"<data:scalar name=\"Heat\"", "<data:scalar name=\"Heat\" waveform-degree=\"2\"",
        "substeps=\"true\""}});
  CHECK_NOTHROW(validate(parse(
      edited(text_of("pipe.xml"), "value=\"0.5\"", "method=\"first-participant\""), "pipe.xml")));
  check_faults(
      "reactor.xml",
      {{"first=\"Neutrons\" second=\"Watch\"", "first=\"Neutrons\" second=\"Flow\"",
        "participant \"Watch\" is not part of this scheme"},
       {"from=\"Neutrons\" to=\"Steel\"", "from=\"Neutrons\" to=\"Steel\" initialize=\"on\"",
        "another initialize than in line 56, which sends the same data to participant "
        "\"Steel\""},
       {"from=\"Neutrons\" to=\"Steel\"", "from=\"Neutrons\" to=\"Steel\" substeps=\"off\"",
        "another substeps than in line 56"},
       {"control=\"true\"", "", "exactly one"},
       {"<participant name=\"Flow\" />", "<participant name=\"Flow\" control=\"on\"/>",
        "exactly one"}});
}

TEST_CASE("a participant is in one implicit scheme at most") {
  const std::string reactor =
      edited(text_of("reactor.xml"), "<coupling-scheme:parallel-explicit>",
             "<coupling-scheme:parallel-implicit>\n<max-iterations value=\"2\" />");
  const std::string two = edited(reactor, "</coupling-scheme:parallel-explicit>",
                                 "</coupling-scheme:parallel-implicit>");
  CHECK(message_of([&] {
          validate(parse(two, "r.xml"));
        }).find("participant \"Neutrons\" is in two implicit schemes") != std::string::npos);
}

TEST_CASE("rules of iterations") {
  check_faults(
      "flap.xml",
      {{"<max-iterations value=\"30\" />", "<max-iterations value=\"1\" />", "exceeds"},
       {"<max-iterations value=\"30\" />", "<max-iterations value=\"-1\" />", "must be at least 1"},
       {"<min-iterations value=\"2\" />", "<min-iterations value=\"0\" />", "must be at least 1"},
       {"mesh=\"Flap-Mesh\" limit", "mesh=\"Air-Faces\" limit", "is not exchanged in this scheme"},
       {"data=\"Force\" mesh=\"Flap-Mesh\" limit", "data=\"Ghost\" mesh=\"Flap-Mesh\" limit",
        "data \"Ghost\" is not defined"},
       {"limit=\"1e-3\"", "limit=\"1.5\"", "must be in (1e-14, 1]"},
       {"limit=\"1e-3\"", "limit=\"1e-14\"", "must be in (1e-14, 1]"},
       {"abs-limit=\"1e-8\"", "abs-limit=\"1e-30\"", "must exceed 1e-14"},
       {"name=\"Force\" mesh=\"Flap-Mesh\" scaling", "name=\"Force\" mesh=\"Air-Faces\" scaling",
        "is not exchanged in this scheme"},
       {"scaling=\"2\"", "scaling=\"0\"", "switches the data off"},
       {"<data name=\"Displacement\" mesh=\"Flap-Mesh\" />",
        "<data name=\"Force\" mesh=\"Flap-Mesh\" />", "stands twice"},
       {"<filter type=\"QR2\" />", "<filter limit=\"0\" />", "limit=\"0\" must be positive"},
       {"chunk-size=\"4\"", "chunk-size=\"0\"", "chunk-size must be positive"},
       {"<acceleration:IQN-IMVJ", "<acceleration:IQN-IMVJ always-build-jacobian=\"on\"",
        "cannot always build the Jacobian and restart"},
       {"<filter type=\"QR2\" />", "<initial-relaxation value=\"1.5\" />", "must be in (0, 1]"}});
  const std::string aitken =
      "<acceleration:aitken><data name=\"Force\" mesh=\"Flap-Mesh\" /><preconditioner "
      "type=\"value\" /></acceleration:aitken>";
  const std::string flap = text_of("flap.xml");
  const std::size_t begin = flap.find("<acceleration:");
  const std::size_t end = flap.find("</coupling-scheme");
  const std::string with_aitken = flap.substr(0, begin) + aitken + flap.substr(end);
  CHECK(message_of([&] { validate(parse(with_aitken, "f.xml")); }).find("uses no preconditioner") !=
        std::string::npos);
}

TEST_CASE("an implicit scheme must end its iterations") {
  const std::string reactor = text_of("reactor.xml");
  const std::string unmeasured =
      edited(reactor,
             "<residual-relative-convergence-measure data=\"Density\" mesh=\"Core\" limit=\"1e-3\" "
             "suffices=\"true\" />",
             "");
  CHECK_NOTHROW(validate(parse(unmeasured, "r.xml")));
  const std::string endless = edited(unmeasured, "<max-iterations value=\"20\" />", "");
  CHECK(message_of([&] { validate(parse(endless, "r.xml")); }).find("iterate forever") !=
        std::string::npos);
}

TEST_CASE("an acceleration without data to accelerate is refused when the file is read") {
  const std::string relaxed =
      edited(text_of("pipe.xml"), "<time-window-size",
             "<max-iterations value=\"3\" /><acceleration:constant><relaxation value=\"0.5\" />"
             "</acceleration:constant><time-window-size");
  const auto says = [&relaxed](const std::string& kind, const std::string& dropped) {
    std::string text =
        edited(relaxed, "<coupling-scheme:serial-explicit>", "<coupling-scheme:" + kind + ">");
    text = edited(text, "</coupling-scheme:serial-explicit>", "</coupling-scheme:" + kind + ">");
    text = dropped.empty() ? text : edited(text, dropped, "");
    return message_of([&] { validate(parse(text, "p.xml")); });
  };
  const std::string forth =
      "<exchange data=\"Heat\" mesh=\"WallMesh\" from=\"Water\" to=\"Wall\" />";
  const std::string back =
      "<exchange data=\"Temperature\" mesh=\"WallMesh\" from=\"Wall\" to=\"Water\" "
      "initialize=\"true\" />";
  CHECK(says("serial-implicit", "") == "no error");
  CHECK(says("serial-implicit", forth) == "no error");
  CHECK(says("parallel-implicit", forth) == "no error");
  CHECK(says("parallel-implicit", back) == "no error");
  const std::string message = says("serial-implicit", back);
  CAPTURE(message);
  CHECK(message.find("p.xml:40: <acceleration:constant> there is no data to accelerate") == 0);
  CHECK(message.find("participant \"Wall\", which decides, to \"Water\"") != std::string::npos);
}

TEST_CASE("a serial scheme accelerates what the second participant sends") {
  std::string flap = text_of("flap.xml");
  flap = edited(flap, "<coupling-scheme:parallel-implicit>", "<coupling-scheme:serial-implicit>");
  flap = edited(flap, "</coupling-scheme:parallel-implicit>", "</coupling-scheme:serial-implicit>");
  CHECK(message_of([&] {
          validate(parse(flap, "f.xml"));
        }).find("accelerates only data from the second participant (\"Flap\")") !=
        std::string::npos);
  CHECK_NOTHROW(validate(parse(
      edited(flap, "<data name=\"Force\" mesh=\"Flap-Mesh\" scaling=\"2\" />", ""), "f.xml")));
}

TEST_CASE("what is not supported yet is said where it stands") {
  const auto message = [](const std::string& text, const std::string& participant) {
    return message_of([&] { check_supported(parse(text, "c.xml"), participant); });
  };
  const std::string flap = text_of("flap.xml");
  CHECK(message(text_of("pipe.xml"), "Water") == "no error");
  CHECK(message(flap, "Flap") == "no error");
  const std::string cuda =
      edited(flap, "<executor:openmp n-threads=\"4\" execution-mode=\"minimal-compute\" />",
             "<executor:cuda />");
  CHECK(message(cuda, "Air")
            .find("c.xml:32: <executor:cuda> (participant \"Air\") is not supported yet") !=
        std::string::npos);
  CHECK(message(cuda, "Flap") == "no error");
}
