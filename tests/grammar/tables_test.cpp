// SPDX-License-Identifier: BSD-3-Clause
// The tables of the language, and the reference that is printed from them.
#include "isthmus/grammar/grammar_build.hpp"
#include "isthmus/grammar/grammar_mapping.hpp"
#include "isthmus/grammar/grammar_scheme.hpp"
#include "isthmus/grammar/reference.hpp"

#include "isthmus/grammar/xml.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::grammar;

namespace {

template <typename Children>
std::vector<std::string> kinds_of(const Children& children) {
  std::vector<std::string> kinds;
  for (const Child& child : children) {
    kinds.emplace_back(kind(child.tag->name));
  }
  return kinds;
}

bool has_child(const Tag& tag, std::string_view child) {
  return tag.find_child(child) != nullptr;
}

std::string reference(ReferenceFormat format) {
  std::ostringstream stream;
  print_reference(stream, format);
  return stream.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// Tags and attributes in all places below a tag, it included.
struct Sizes {
  std::size_t tags = 0;
  std::size_t attributes = 0;

  void add(const Tag& tag) {
    ++tags;
    attributes += tag.attributes.size();
    for (const Child& child : tag.children) {
      add(*child.tag);
    }
  }
};

void collect_names(const Tag& tag, std::set<std::string>& names) {
  names.emplace(tag.name);
  for (const Child& child : tag.children) {
    collect_names(*child.tag, names);
  }
}

/// Whether an element of the printed example has every child that its tag may have, once.
bool is_complete(const XmlElement& element, const Tag& tag) {
  return element.name == tag.name && element.attributes.size() == tag.attributes.size() &&
         std::equal(element.children.begin(), element.children.end(), tag.children.begin(),
                    tag.children.end(), [](const XmlElement& inner, const Child& child) {
                      return is_complete(inner, *child.tag);
                    });
}

} // namespace

TEST_CASE("tables are written with few words") {
  using namespace table;
  constexpr std::array ends = {required("from", Type::text, "Here.", "a, b"),
                               optional("to", Type::real, "1.5", "There.")};
  constexpr std::array more = {optional("by", Type::boolean, "no", "So.")};
  constexpr auto all = join(ends, more, ends);
  CHECK(all.size() == 5);
  CHECK(all[0].required);
  CHECK(all[0].choices() == std::vector<std::string>{"a", "b"});
  CHECK(all[0].fallback.empty());
  CHECK_FALSE(all[1].required);
  CHECK(all[1].type == Type::real);
  CHECK(all[1].fallback == "1.5");
  CHECK(all[1].choices().empty());
  CHECK(all[2].name == "by");
  CHECK(all[4].name == "to");
  static constexpr Tag one{"one", "One.", {}};
  static constexpr Tag two{"x:two", "Two.", {}};
  constexpr auto children = join(each(Occurs::once, one, two), each(Occurs::any, one));
  CHECK(children.size() == 3);
  CHECK(children[0].tag == &one);
  CHECK(children[1].tag == &two);
  CHECK(children[1].occurs == Occurs::once);
  CHECK(children[2].occurs == Occurs::any);
}

TEST_CASE("every mapping says from where to where, and radial ones offer every basis function") {
  CHECK(kinds_of(table::mappings) ==
        std::vector<std::string>{"nearest-neighbor", "nearest-projection",
                                 "nearest-neighbor-gradient", "linear-cell-interpolation",
                                 "rbf-global-iterative", "rbf-global-direct", "rbf-pum-direct",
                                 "rbf", "coarse-graining", "axial-geometric-multiscale",
                                 "radial-geometric-multiscale", "intersection", "auto"});
  int radial = 0;
  for (const Child& mapping : table::mappings) {
    CHECK(mapping.occurs == Occurs::any);
    CHECK(prefix(mapping.tag->name) == "mapping");
    for (const std::string_view attribute : {"from", "to", "direction", "constraint"}) {
      CHECK(mapping.tag->find_attribute(attribute) != nullptr);
    }
    const bool is_radial = kind(mapping.tag->name).substr(0, 3) == "rbf";
    CHECK((mapping.tag->children.empty()) == !is_radial);
    for (const Child& function : table::basis_functions) {
      CHECK(has_child(*mapping.tag, function.tag->name) == is_radial);
      CHECK(function.occurs == Occurs::optional); // one of them
    }
    radial += is_radial ? 1 : 0;
  }
  CHECK(radial == 4);
  // what only some know
  CHECK(table::rbf_iterative.find_attribute("solver-rtol") != nullptr);
  CHECK(table::rbf_direct.find_attribute("solver-rtol") == nullptr);
  CHECK(has_child(table::rbf_pum, "executor:sycl"));
  CHECK_FALSE(has_child(table::rbf_direct, "executor:sycl"));
  CHECK_FALSE(has_child(table::rbf, "executor:cpu"));
}

TEST_CASE("implicit schemes iterate, explicit ones do not, and multi has any number of members") {
  CHECK(kinds_of(table::schemes) == std::vector<std::string>{"serial-explicit", "parallel-explicit",
                                                             "serial-implicit", "parallel-implicit",
                                                             "multi"});
  for (const Child& scheme : table::schemes) {
    const Tag& tag = *scheme.tag;
    const std::string_view name = kind(tag.name);
    const bool iterates = name.find("explicit") == std::string_view::npos;
    for (const std::string_view child :
         {"max-iterations", "min-iterations", "relative-convergence-measure",
          "acceleration:constant", "acceleration:aitken", "acceleration:IQN-ILS",
          "acceleration:IQN-IMVJ"}) {
      CHECK(has_child(tag, child) == iterates);
    }
    CHECK(has_child(tag, "max-time"));
    CHECK(has_child(tag, "time-window-size"));
    CHECK(has_child(tag, "participants") == (name != "multi"));
    CHECK(has_child(tag, "participant") == (name == "multi"));
    const bool is_serial = name.substr(0, 6) == "serial"; // the first may choose the step
    CHECK((tag.find_child("time-window-size")->find_attribute("method") != nullptr) == is_serial);
    const Attribute* const substeps = tag.find_child("exchange")->find_attribute("substeps");
    REQUIRE(substeps != nullptr);
    CHECK(substeps->fallback == (iterates ? "true" : "false"));
  }
  CHECK(has_child(table::imvj, "imvj-restart-mode"));
  CHECK_FALSE(has_child(table::ils, "imvj-restart-mode"));
}

TEST_CASE("the reference in XML is a configuration with every tag in its place") {
  const std::string text = reference(ReferenceFormat::xml);
  const XmlElement root = parse_xml(text, "reference.xml");
  CHECK(is_complete(root, grammar::grammar()));
  Sizes sizes;
  sizes.add(grammar::grammar());
  CHECK(sizes.tags > 200);
  CHECK(count(text, "<!-- ") == sizes.tags); // each with its comment
  CHECK(text.find("max-time-windows (0..1): Number of time windows after which it ends.") !=
        std::string::npos);
  CHECK(text.find("direction (string, required, one of: write, read): ") != std::string::npos);
}

TEST_CASE("the reference in Markdown has a heading per path and a row per attribute") {
  const std::string text = reference(ReferenceFormat::markdown);
  Sizes sizes;
  sizes.add(grammar::grammar());
  CHECK(text.rfind("# Configuration reference\n", 0) == 0);
  CHECK(count(text, "\n## ") == sizes.tags);
  CHECK(count(text, "\n| `") == sizes.attributes);
  CHECK(text.find("\n## participant/mapping:rbf/basis-function:gaussian\n") != std::string::npos);
}

TEST_CASE("the document type declares each name once, whatever its parents") {
  const std::string text = reference(ReferenceFormat::dtd);
  std::set<std::string> names;
  collect_names(grammar::grammar(), names);
  CHECK(count(text, "<!ELEMENT ") == names.size());
  for (const std::string& name : names) {
    CHECK(count(text, "<!ELEMENT " + name + " ") == 1);
  }
  CHECK(text.find("<!ELEMENT basis-function:volume-splines EMPTY>") != std::string::npos);
  CHECK(text.find("<!ATTLIST mapping:rbf direction (write | read) #REQUIRED>") !=
        std::string::npos);
  // a default that depends on the place is none
  CHECK(text.find("<!ATTLIST exchange substeps CDATA #IMPLIED>") != std::string::npos);
}
