// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/xml.hpp"

#include "config/files.hpp"
#include "isthmus/grammar/suggest.hpp"
#include "isthmus/grammar/values.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::config;
using namespace isthmus::grammar;

TEST_CASE("a tree keeps order, values and lines") {
  const grammar::XmlElement root = grammar::parse_xml(
      "<?xml version=\"1.0\"?>\n<!-- c -->\n<a x='1'\n y=\"&lt;2\">\n"
      "<b:c/> <!-- c --> <d>\n<e/></d></a>\n",
      "t.xml");
  CHECK(root.name == "a");
  CHECK(root.line == 3);
  REQUIRE(root.attributes.size() == 2);
  CHECK(root.find("y")->value == "<2");
  CHECK(root.find("y")->line == 4);
  CHECK(root.find("z") == nullptr);
  REQUIRE(root.children.size() == 2);
  CHECK(root.children[0].name == "b:c");
  CHECK(root.children[0].line == 5);
  CHECK(root.children[1].children.at(0).line == 6);
}

TEST_CASE("broken XML is refused with its line") {
  const auto message = [](const std::string& text) {
    return message_of([&] { (void)grammar::parse_xml(text, "t.xml"); });
  };
  CHECK(message("").find("t.xml:") == 0);
  CHECK(message("<a>\n<b>\n</a>").find("t.xml:2: this tag and the next closing tag do not match") ==
        0);
  CHECK(message("<a>\n<b x='1' x='2'/></a>")
            .find("t.xml:2: an attribute of this tag is malformed or given twice") == 0);
  CHECK(message("<a/>\n<b/>").find("t.xml:2: ") == 0);
  CHECK(message("<a><!-- open </a>").find("a comment does not end") != std::string::npos);
  CHECK(message(std::string("<a/>\0", 5)).find("zero byte") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "<a>";
  }
  CHECK(message(deep).find("nested too deeply") != std::string::npos);
}

TEST_CASE("an element is named by its name, else by what stands first") {
  const auto label = [](const std::string& text) {
    return grammar::parse_xml(text, "t.xml").label();
  };
  CHECK(label("<a/>") == "<a>");
  CHECK(label("<a x=\"1\" y=\"2\"/>") == "<a x=\"1\">");
  CHECK(label("<a x=\"1\" name=\"M\"/>") == "<a name=\"M\">");
}

TEST_CASE("a file that is not there is named") {
  CHECK(message_of([] { (void)grammar::read_file("no/absent.xml"); }).find("no/absent.xml") !=
        std::string::npos);
  CHECK(message_of([] { (void)grammar::read_file("."); }).find("is a directory") !=
        std::string::npos);
}

TEST_CASE("texts between tags are noted with their lines, as preCICE ignores them") {
  const auto root = grammar::parse_xml("<a>\n <b/> oops -->\n</a>", "t.xml");
  REQUIRE(root.notes.size() == 1);
  CHECK(root.notes.front() ==
        "t.xml:2: <a> contains the text \"oops -->\", which has no effect; remove it");
  CHECK(root.children.front().notes.empty());
}

TEST_CASE("texts become values or nothing") {
  for (const char* yes : {"true", "TRUE", " Yes", "on", "1"}) {
    CHECK(grammar::to_boolean(yes) == true);
  }
  for (const char* no : {"false", "False", "no", "OFF", "0"}) {
    CHECK(grammar::to_boolean(no) == false);
  }
  for (const char* neither : {"", "maybe", "2", "tru e"}) {
    CHECK_FALSE(grammar::to_boolean(neither).has_value());
  }
  CHECK(grammar::to_integer(" +12 ") == 12);
  CHECK(grammar::to_integer("-3") == -3);
  for (const char* none : {"", "1.0", "1e3", "3000000000", "+-1", "x"}) {
    CHECK_FALSE(grammar::to_integer(none).has_value());
  }
  CHECK(grammar::to_real("1e-6") == 1e-6);
  CHECK(grammar::to_real("+.5") == 0.5);
  CHECK(grammar::to_real("-inf") == -std::numeric_limits<double>::infinity());
  for (const char* none : {"", "nan", "1,5", "1e999", "0x10", "1 2"}) {
    CHECK_FALSE(grammar::to_real(none).has_value());
  }
  CHECK(grammar::to_vector("1; -2.5;3") == std::vector{1.0, -2.5, 3.0});
  CHECK_FALSE(grammar::to_vector("1;;2").has_value());
  CHECK_FALSE(grammar::to_vector("1,2").has_value());
}

TEST_CASE("suggestions are close words") {
  CHECK(grammar::edit_distance("", "abc") == 3);
  CHECK(grammar::edit_distance("kitten", "sitting") == 3);
  CHECK(grammar::edit_distance("mehs", "mesh") == 1);
  const std::vector<std::string> names = {"Fluid-Mesh", "Solid-Mesh"};
  CHECK(grammar::suggestion("FluidMesh", names) ==
        "; did you mean \"Fluid-Mesh\"? Known: Fluid-Mesh, Solid-Mesh");
  CHECK(grammar::suggestion("Solid", names) ==
        "; did you mean \"Solid-Mesh\"? Known: Fluid-Mesh, Solid-Mesh");
  CHECK(grammar::suggestion("Ghost", names) == "; known: Fluid-Mesh, Solid-Mesh");
  CHECK(grammar::suggestion("FLUID-MESH", names).find("; did you mean \"Fluid-Mesh\"?") == 0);
  const std::vector<std::string> numbers = {"2", "3"};
  CHECK(grammar::did_you_mean("4", numbers) == ""); // has no letter of them
  CHECK(grammar::suggestion("Ghost", {}) == "; none is defined");
}
