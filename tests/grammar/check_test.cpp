// SPDX-License-Identifier: BSD-3-Clause
// What the grammar refuses, and what it makes of an element that it accepts.
#include "isthmus/grammar/check.hpp"
#include "isthmus/grammar/file_line.hpp"
#include "isthmus/grammar/node.hpp"

#include "message_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::grammar;

namespace {

constexpr const char* good = R"(<precice-configuration>
<data:scalar name="T" />
<mesh name="M" dimensions="2"><use-data name="T" /></mesh>
<mesh name="N" dimensions="2"><use-data name="T" /></mesh>
<participant name="A">
<provide-mesh name="M" />
<write-data name="T" mesh="M" />
<export:vtk />
</participant>
<participant name="B">
<provide-mesh name="N" /><receive-mesh name="M" from="A" />
<read-data name="T" mesh="N" />
<mapping:rbf-global-direct from="M" to="N" direction="read" constraint="consistent" x-dead="yes">
<basis-function:gaussian support-radius="0.5" />
</mapping:rbf-global-direct>
<watch-point name="P" mesh="N" coordinate="0.5; 1" />
</participant>
<m2n:sockets acceptor="A" connector="B" />
<coupling-scheme:serial-explicit>
<max-time-windows value="7" />
<time-window-size value="1e-2" />
<participants first="A" second="B" />
<exchange data="T" mesh="M" from="A" to="B" />
</coupling-scheme:serial-explicit>
</precice-configuration>)";

/// What is said of that with the first `old` replaced.
std::string complaint(const std::string& old, const std::string& by) {
  std::string text = good;
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  text.replace(at, old.size(), by);
  return message_of([&text] { check_grammar(parse_xml(text, "c.xml"), "c.xml"); });
}

bool begins(const std::string& text, const std::string& begin) {
  return text.rfind(begin, 0) == 0;
}

} // namespace

TEST_CASE("a message about a file begins with its line") {
  const std::string file = "dir/c.xml";
  const FileLine line{file, 12};
  CHECK(line.text() == "dir/c.xml:12: ");
  CHECK(message_of([&line] { fail_at(line, "give {} of {}", 2, "them"); }) ==
        "dir/c.xml:12: give 2 of them");
  CHECK(message_of([&line] { check_at(true, line, "never"); }) == "no error");
  CHECK(message_of([&line] { check_at(false, line, "it has {{no}} \"{}\"", "end"); }) ==
        "dir/c.xml:12: it has {no} \"end\"");
}

TEST_CASE("what the grammar knows is accepted, name spaces of XML as well") {
  CHECK(complaint("<precice", "<precice") == "no error");
  CHECK(complaint("<precice-configuration>",
                  "<precice-configuration xmlns=\"x\" xmlns:data=\"y\">") == "no error");
}

TEST_CASE("the outermost tag is that of the language") {
  const auto said = [](const std::string& text) {
    return message_of([&text] { check_grammar(parse_xml(text, "c.xml"), "c.xml"); });
  };
  CHECK(said("\n<solver-interface/>") ==
        "c.xml:2: <solver-interface> is of preCICE 1 or 2; put what stands inside straight into "
        "<precice-configuration>, and see preCICE's porting guides");
  CHECK(said("<precice-configuration>\n<solver-interface/></precice-configuration>") ==
        "c.xml:2: <solver-interface> is of preCICE 1 or 2; put what stands inside straight into "
        "<precice-configuration>, and see preCICE's porting guides");
  CHECK(said("<mesh/>") ==
        "c.xml:1: the outermost tag is <mesh>; it must be <precice-configuration>");
}

TEST_CASE("tags that are not known, lack or stand too often are named with their line") {
  CHECK(begins(complaint("<use-data", "<used-data"),
               "c.xml:3: <used-data> is not known inside <mesh name=\"M\">; did you mean "
               "\"use-data\"?"));
  CHECK(complaint("<export:vtk />", "<export:vtk><inner /></export:vtk>") ==
        "c.xml:8: <inner> is not known inside <export:vtk>; nothing may stand there");
  CHECK(begins(complaint("<participants first=\"A\" second=\"B\" />", ""),
               "c.xml:19: <coupling-scheme:serial-explicit> lacks <participants .../>: "));
  CHECK(begins(complaint("<exchange data=\"T\" mesh=\"M\" from=\"A\" to=\"B\" />", ""),
               "c.xml:19: <coupling-scheme:serial-explicit> lacks <exchange .../>: "));
  CHECK(complaint("<max-time-windows value=\"7\" />",
                  "<max-time-windows value=\"7\" /><max-time-windows value=\"8\" />") ==
        "c.xml:20: <coupling-scheme:serial-explicit> contains <max-time-windows> although "
        "<max-time-windows> stands in line 20; keep one");
  // of alternatives one may stand
  CHECK(complaint("<basis-function:gaussian support-radius=\"0.5\" />",
                  "<basis-function:gaussian support-radius=\"0.5\" />\n"
                  "<basis-function:volume-splines />") ==
        "c.xml:15: <mapping:rbf-global-direct from=\"M\"> contains <basis-function:volume-splines> "
        "although <basis-function:gaussian> stands in line 14; keep one");
}

TEST_CASE("attributes that are not known, lack or have another type are named with their line") {
  CHECK(begins(complaint("dimensions=\"2\"", "dimension=\"2\" dimensions=\"2\""),
               "c.xml:3: <mesh name=\"M\"> has no attribute \"dimension\"; did you mean "
               "\"dimensions\"?"));
  CHECK(begins(complaint(" dimensions=\"2\"", ""),
               "c.xml:3: <mesh name=\"M\"> lacks the attribute \"dimensions\": "));
  CHECK(complaint("value=\"7\"", "value=\"7.5\"") ==
        "c.xml:20: <max-time-windows value=\"7.5\"> attribute value=\"7.5\" must be a whole number "
        "that fits into 32 bits");
  CHECK(complaint("value=\"1e-2\"", "value=\"1,5\"") ==
        "c.xml:21: <time-window-size value=\"1,5\"> attribute value=\"1,5\" must be a number, as "
        "in 1.5e-3");
  CHECK(begins(complaint("x-dead=\"yes\"", "x-dead=\"perhaps\""),
               "c.xml:13: <mapping:rbf-global-direct from=\"M\"> attribute x-dead=\"perhaps\" must "
               "be true or false"));
  CHECK(complaint("\"0.5; 1\"", "\"0.5, 1\"") ==
        "c.xml:16: <watch-point name=\"P\"> attribute coordinate=\"0.5, 1\" must be numbers "
        "separated by semicolons, as in 0.5;1");
  CHECK(complaint("direction=\"read\"", "\ndirection=\"reed\"") ==
        "c.xml:14: <mapping:rbf-global-direct from=\"M\"> attribute direction=\"reed\" must be one "
        "of: write, read; did you mean \"read\"?");
}

TEST_CASE("a node has the values of the file, else those of the grammar") {
  const XmlElement root = parse_xml(good, "c.xml");
  check_grammar(root, "c.xml");
  const Node top(root, grammar::grammar());
  CHECK(top.line() == 1);
  CHECK(top.children().size() == 7);
  CHECK(top.children("mesh").size() == 2);
  CHECK(top.children("data").size() == 1); // <data:scalar>
  CHECK(top.children("log").empty());
  CHECK_FALSE(top.child("log"));
  const Node data = top.child("data").value();
  CHECK(data.kind() == "scalar");
  CHECK(data.tag().name == "data:scalar");
  const Node mesh = top.children("mesh")[1];
  CHECK(mesh.text("name") == "N");
  CHECK(mesh.integer("dimensions") == 2);
  CHECK(mesh.kind().empty());

  const Node b = top.children("participant")[1];
  const Node mapping = b.child("mapping").value();
  CHECK(mapping.kind() == "rbf-global-direct");
  CHECK(mapping.line() == 13);
  CHECK(mapping.gives("x-dead"));
  CHECK(mapping.flag("x-dead"));
  CHECK_FALSE(mapping.gives("y-dead"));
  CHECK(mapping.has("y-dead"));
  CHECK_FALSE(mapping.flag("y-dead"));
  CHECK(mapping.text("polynomial") == "separate");
  CHECK_FALSE(mapping.has("solver-rtol"));
  const Node gaussian = mapping.child("basis-function:gaussian").value();
  CHECK(gaussian.real("support-radius") == 0.5);
  CHECK(std::isnan(gaussian.real("shape-parameter"))); // not given
  CHECK(b.child("watch-point").value().vector("coordinate") == std::vector{0.5, 1.0});
  const Node scheme = top.child("coupling-scheme").value();
  CHECK(scheme.kind() == "serial-explicit");
  CHECK(scheme.child("max-time-windows").value().integer("value") == 7);
  CHECK(scheme.child("time-window-size").value().text("method") == "fixed");
}
