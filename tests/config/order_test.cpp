// SPDX-License-Identifier: BSD-3-Clause
// Whether the participants of all schemes come to the end, or wait for each other.
#include "config/files.hpp"
#include "isthmus/config/validate/validate.hpp"

#include <doctest/doctest.h>

using namespace isthmus::config;

TEST_CASE("who decides about an implicit scheme waits for nobody who sends it no data") {
  // C does its first window of the serial scheme when it has heard of B, and A starts only then
  const auto text = [](const std::string& answer, const std::string& exchange) {
    const auto mesh = [](const std::string& name, const std::string& data) {
      return "<mesh name=\"" + name + "\" dimensions=\"2\">" + data + "</mesh>";
    };
    const auto mapping = [](const std::string& from, const std::string& to) {
      return R"(<mapping:nearest-neighbor direction="read" constraint="consistent" from=")" + from +
             "\" to=\"" + to + "\" />";
    };
    const std::string all = R"(<use-data name="D" /><use-data name="Answer" />)";
    return R"(<precice-configuration><data:scalar name="D" /><data:scalar name="Answer" />
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
}
