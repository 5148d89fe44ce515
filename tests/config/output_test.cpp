// SPDX-License-Identifier: BSD-3-Clause
#include "config/files.hpp"
#include "isthmus/config/describe.hpp"
#include "isthmus/grammar/reference.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace isthmus;
using namespace isthmus::config;

namespace {

std::string reference(grammar::ReferenceFormat format) {
  std::ostringstream stream;
  grammar::print_reference(stream, format);
  return stream.str();
}

void collect_paths(const grammar::XmlElement& element, const std::string& path, std::string& all) {
  all += path + element.name + "\n";
  for (const grammar::XmlElement& child : element.children) {
    collect_paths(child, path + element.name + "/", all);
  }
}

} // namespace

TEST_CASE("a description says who does what") {
  const std::string text = describe(read(path_of("pipe.xml")));
  CHECK(contains(text, R"("name": "WallMesh", "dimensions": 3, "data": ["Temperature", "Heat"], )"
                       R"("provided-by": "Wall", "received-by": ["Water"], "line": 15)"));
  CHECK(contains(text,
                 R"("kind": "nearest-neighbor", "direction": "write", "constraint": )"
                 R"("conservative", "from": "WaterMesh", "to": "WallMesh", "data": ["Heat"])"));
  CHECK(contains(text, R"("time-window-size": 0.5, "max-time": 2.5, "max-time-windows": null)"));
  CHECK(contains(text, R"("acceptor": "Water", "connector": "Wall", "exchange-directory": "..")"));
  CHECK(contains(describe(read(path_of("flap.xml"))), R"("acceleration": {"kind": "IQN-IMVJ")"));
  CHECK(contains(describe(parse(edited(text_of("pipe.xml"), "Heat", "a&quot;b\\&#9;"), "x")),
                 R"("a\"b\\\u0009")"));
}

TEST_CASE("the XML reference is XML and has every tag") {
  const grammar::XmlElement root =
      grammar::parse_xml(reference(grammar::ReferenceFormat::xml), "reference.xml");
  std::string paths;
  collect_paths(root, "", paths);
  CHECK(
      contains(paths, "precice-configuration/participant/mapping:rbf-pum-direct/executor:sycl\n"));
  CHECK(contains(paths, "/coupling-scheme:multi/acceleration:IQN-IMVJ/imvj-restart-mode\n"));
  CHECK(root.find("experimental")->value == "false");
}

TEST_CASE("the DTD declares every element once") {
  const std::string dtd = reference(grammar::ReferenceFormat::dtd);
  CHECK(contains(dtd, "<!ELEMENT mesh (use-data)*>\n"));
  CHECK(contains(dtd, "<!ATTLIST mesh dimensions (2 | 3) #REQUIRED>\n"));
  CHECK(contains(dtd, "<!ATTLIST exchange substeps CDATA #IMPLIED>\n")); // two defaults
  CHECK(dtd.find("<!ELEMENT exchange ") == dtd.rfind("<!ELEMENT exchange "));
}

TEST_CASE("the Markdown reference has a heading per tag") {
  const std::string markdown = reference(grammar::ReferenceFormat::markdown);
  CHECK(contains(markdown, "\n## participant/receive-mesh\n"));
  CHECK(contains(markdown, "| `safety-factor` | float | `0.5` |"));
}
