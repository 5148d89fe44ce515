// SPDX-License-Identifier: BSD-3-Clause
// Whether the participants of all schemes come to the end, or wait for each other.
#include "config/files.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace isthmus::config;

TEST_CASE("who decides about an implicit scheme waits for nobody who sends it no data") {
  // C does its first window of the serial scheme when it has heard of B, and A starts only then
  const auto text = [](const std::string& answer, const std::string& exchange,
                       const std::string& remeshing = "") {
    const auto mesh = [](const std::string& name, const std::string& data) {
      return "<mesh name=\"" + name + "\" dimensions=\"2\">" + data + "</mesh>";
    };
    const auto mapping = [](const std::string& from, const std::string& to) {
      return R"(<mapping:nearest-neighbor direction="read" constraint="consistent" from=")" + from +
             "\" to=\"" + to + "\" />";
    };
    const std::string all = R"(<use-data name="D" /><use-data name="Answer" />)";
    return "<precice-configuration" + remeshing +
           R"(><data:scalar name="D" /><data:scalar name="Answer" />
<data:scalar name="E" /><data:scalar name="F" />)" +
           mesh("MA", all + R"(<use-data name="F" />)") +
           mesh("MB", all + R"(<use-data name="E" />)") +
           mesh("MC", R"(<use-data name="E" /><use-data name="F" />)") +
           R"(<participant name="A"><provide-mesh name="MA" /><receive-mesh name="MB" from="B" />
<receive-mesh name="MC" from="C" /><read-data name="D" mesh="MA" /><read-data name="F" mesh="MA" />)" +
           answer + mapping("MB", "MA") + mapping("MC", "MA") +
           R"(</participant><participant name="B"><provide-mesh name="MB" />
<receive-mesh name="MA" from="A" /><write-data name="D" mesh="MB" /><write-data name="E" mesh="MB" />)" +
           (answer.empty() ? ""
                           : R"(<read-data name="Answer" mesh="MB" />)" + mapping("MA", "MB")) +
           R"(</participant><participant name="C"><provide-mesh name="MC" />
<receive-mesh name="MB" from="B" /><read-data name="E" mesh="MC" /><write-data name="F" mesh="MC" />)" +
           mapping("MB", "MC") + R"(</participant>
<m2n:sockets acceptor="A" connector="B" /><m2n:sockets acceptor="A" connector="C" />
<m2n:sockets acceptor="B" connector="C" />
<coupling-scheme:parallel-implicit><participants first="A" second="B" />
<max-time-windows value="1" /><time-window-size value="1" />
<exchange data="D" mesh="MB" from="B" to="A" />)" +
           exchange + R"(<max-iterations value="1" /></coupling-scheme:parallel-implicit>
<coupling-scheme:parallel-explicit><participants first="B" second="C" />
<max-time-windows value="1" /><time-window-size value="1" />
<exchange data="E" mesh="MB" from="B" to="C" /></coupling-scheme:parallel-explicit>
<coupling-scheme:serial-explicit><participants first="C" second="A" />
<max-time-windows value="1" /><time-window-size value="3" />
<exchange data="F" mesh="MC" from="C" to="A" /></coupling-scheme:serial-explicit>
</precice-configuration>)";
  };
  CHECK(message_of([&] { validate(parse(text("", ""), "c.xml")); }) == "no error");
  const std::string answered = text(R"(<write-data name="Answer" mesh="MA" />)",
                                    R"(<exchange data="Answer" mesh="MA" from="A" to="B" />)");
  const std::string message = message_of([&] { validate(parse(answered, "c.xml")); });
  CHECK_MESSAGE(message.find("would wait for each other") != std::string::npos, message);
  // A tells B of its meshes in each window, and B waits for that
  const std::string changing = text("", "", R"( experimental="true" allow-remeshing="true")");
  const std::string refused = message_of([&] { validate(parse(changing, "c.xml")); });
  CHECK_MESSAGE(refused.find("with allow-remeshing both participants") != std::string::npos,
                refused);
}

TEST_CASE("where meshes may change, who is second in a serial scheme waits for word of the first") {
  // of three in a ring each sends data to the one that is first in their scheme, and word to the
  // other
  const auto text = [](const std::string& attributes) {
    std::string data;
    std::string meshes;
    std::string participants;
    std::string meetings;
    std::string schemes;
    for (const auto& [one, next] :
         std::vector<std::pair<std::string, std::string>>{{"A", "B"}, {"B", "C"}, {"C", "A"}}) {
      const std::string exchanged = " mesh=\"M" + next + "\" ";
      data += "<data:scalar name=\"D" + one + "\" />";
      meshes += "<mesh name=\"M" + one + "\" dimensions=\"2\"><use-data name=\"D" + one +
                "\" /><use-data name=\"D" + next + "\" /></mesh>";
      participants +=
          "<participant name=\"" + one + "\"><provide-mesh name=\"M" + one +
          "\" /><receive-mesh name=\"M" + next + "\" from=\"" + next + "\" /><write-data name=\"D" +
          one + "\" mesh=\"M" + one + "\" /><read-data name=\"D" + next + "\" mesh=\"M" + one +
          "\" /><mapping:nearest-neighbor direction=\"read\" " +
          "constraint=\"consistent\" from=\"M" + next + "\" to=\"M" + one + "\" /></participant>";
      meetings += "<m2n:sockets acceptor=\"" + one + "\" connector=\"" + next + "\" />";
      schemes += "<coupling-scheme:serial-explicit><participants first=\"" + one + "\" second=\"" +
                 next + "\" /><max-time-windows value=\"2\" />" +
                 "<time-window-size value=\"1\" /><exchange data=\"D" + next + "\"" + exchanged +
                 "from=\"" + next + "\" to=\"" + one + "\" /></coupling-scheme:serial-explicit>";
    }
    return "<precice-configuration" + attributes + ">" + data + meshes + participants + meetings +
           schemes + "</precice-configuration>";
  };
  const auto says = [&](const std::string& attributes) {
    return message_of([&] { validate(parse(text(attributes), "c.xml")); });
  };
  CHECK(says("") == "no error");
  const std::string refused = says(R"( experimental="true" allow-remeshing="true")");
  CHECK_MESSAGE(
      refused.find("A, B, C would wait for each other in initialize()") != std::string::npos,
      refused);
}

TEST_CASE("a last window that is shorter has an end for which others wait, too") {
  // A, second in the serial scheme, waits for B's first window, after which B waits for A's verdict
  const auto text = [](const std::string& max_time) {
    const auto scheme = [&](const std::string& kind, const std::string& data) {
      return "<coupling-scheme:" + kind + R"(><participants first="B" second="A" />)" +
             "<max-time value=\"" + max_time + R"(" /><time-window-size value="1" />)" +
             "<exchange data=\"" + data + R"(" mesh="MB" from="B" to="A" />)" +
             (kind == "parallel-implicit" ? R"(<max-iterations value="3" />)" : "") +
             "</coupling-scheme:" + kind + ">";
    };
    return R"(<precice-configuration><data:scalar name="D" /><data:scalar name="E" />
<mesh name="MA" dimensions="2"><use-data name="D" /><use-data name="E" /></mesh>
<mesh name="MB" dimensions="2"><use-data name="D" /><use-data name="E" /></mesh>
<participant name="A"><provide-mesh name="MA" /><receive-mesh name="MB" from="B" />
<read-data name="D" mesh="MA" /><read-data name="E" mesh="MA" />
<mapping:nearest-neighbor direction="read" constraint="consistent" from="MB" to="MA" /></participant>
<participant name="B"><provide-mesh name="MB" /><write-data name="D" mesh="MB" />
<write-data name="E" mesh="MB" /></participant><m2n:sockets acceptor="A" connector="B" />)" +
           scheme("serial-explicit", "D") + scheme("parallel-implicit", "E") +
           "</precice-configuration>";
  };
  for (const char* const max_time : {"2", "0.8", "1.8"}) {
    const std::string refused = message_of([&] { validate(parse(text(max_time), "c.xml")); });
    CHECK_MESSAGE(refused.find("would wait for each other") != std::string::npos, refused);
  }
}

TEST_CASE(
    "windows that hardly differ, or are of very different sizes, are played as they will run") {
  // a ring, in which each sends to both others
  const auto says = [](const std::string& middle, const std::vector<double>& windows) {
    couple::Scenario scenario{{{.first = "A", .second = "B", .kind = "serial-explicit"},
                               {.first = "B", .second = "C", .kind = middle},
                               {.first = "A", .second = "C", .kind = "serial-explicit"}},
                              {}};
    for (std::size_t s = 0; s < windows.size(); ++s) {
      scenario.schemes[s].window = windows[s];
      scenario.schemes[s].max_time = 3;
      for (const couple::Flow& flow : between_all(scenario.schemes[s])) {
        scenario.flows.push_back(flow);
      }
    }
    return message_of([&] { validate(parse(scenario.xml(), "c.xml")); });
  };
  using Windows = std::vector<double>;
  CHECK(says("serial-explicit", {1, 1, 1}) == "no error");
  for (const Windows& windows : {Windows{1, 0.3333333, 1}, {1.0000001, 1, 1}, {1, 1.0000001, 1}}) {
    CAPTURE(windows[0]);
    CAPTURE(windows[1]);
    CHECK(says("parallel-explicit", windows) == "no error");
    const std::string refused = says("serial-explicit", windows);
    CHECK_MESSAGE(refused.find("would wait for each other") != std::string::npos, refused);
  }
  const std::string refused = says("serial-explicit", {1, 1, 0.00005});
  CHECK_MESSAGE(refused.find("would wait for each other") != std::string::npos, refused);
}
