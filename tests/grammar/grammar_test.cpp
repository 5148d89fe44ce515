// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/grammar.hpp"
#include "config/files.hpp"
#include "isthmus/grammar/values.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

using namespace isthmus;
using namespace isthmus::config;
using namespace isthmus::grammar;

namespace {

std::string path_below(const std::string& path, const grammar::Tag& child) {
  const std::string name(child.name);
  return path == grammar::grammar().name ? name : path + "/" + name;
}

std::string normal_default(const grammar::Attribute& attribute) {
  if (attribute.required) {
    return "REQUIRED";
  }
  const auto number =
      attribute.type == grammar::Type::real ? grammar::to_real(attribute.fallback) : std::nullopt;
  return number ? fmt::format("{}", *number) : std::string(attribute.fallback);
}

void list_attributes(const grammar::Tag& tag, const std::string& path,
                     std::set<std::string>& lines) {
  for (const grammar::Attribute& attribute : tag.attributes) {
    auto choices = attribute.choices();
    std::sort(choices.begin(), choices.end());
    lines.insert(fmt::format("{}\t{}\t{}\t{}\t{}", path, attribute.name, name(attribute.type),
                             normal_default(attribute), fmt::join(choices, ", ")));
  }
  for (const grammar::Child& child : tag.children) {
    list_attributes(*child.tag, path_below(path, *child.tag), lines);
  }
}

void list_children(const grammar::Tag& tag, const std::string& path, std::set<std::string>& lines) {
  for (const grammar::Child& child : tag.children) {
    lines.insert(fmt::format("{}\t{}\t{}", path, child.tag->name, name(child.occurs)));
    list_children(*child.tag, path_below(path, *child.tag), lines);
  }
}

std::set<std::string> lines_of(const std::string& file) {
  std::istringstream text(text_of(file));
  std::set<std::string> lines;
  std::string line;
  std::getline(text, line); // headings
  while (std::getline(text, line)) {
    lines.insert(line);
  }
  return lines;
}

std::string difference(const std::set<std::string>& of, const std::set<std::string>& without) {
  std::string text;
  for (const std::string& line : of) {
    text += without.count(line) > 0 ? "" : line + "\n";
  }
  return text;
}

} // namespace

TEST_CASE("the grammar has the attributes of the language and our own") {
  std::set<std::string> ours;
  list_attributes(grammar::grammar(), std::string(grammar::grammar().name), ours);
  std::set<std::string> known = lines_of("attributes.tsv");
  REQUIRE(known.size() > 400);
  known.merge(lines_of("own_attributes.tsv"));
  CHECK(difference(known, ours) == "");
  CHECK(difference(ours, known) == "");
}

TEST_CASE("the grammar has the tags of the language") {
  std::set<std::string> ours;
  list_children(grammar::grammar(), std::string(grammar::grammar().name), ours);
  std::set<std::string> known = lines_of("children.tsv");
  REQUIRE(known.size() > 200);
  known.insert("participant\tmapping:intersection\t0..*"); // our own
  known.insert("participant\tmapping:auto\t0..*");
  CHECK(difference(known, ours) == "");
  CHECK(difference(ours, known) == "");
}

TEST_CASE("every tag and attribute is documented in one sentence") {
  const auto is_sentence = [](std::string_view text) {
    return text.size() > 5 && text.back() == '.';
  };
  const auto visit = [&](const auto& self, const grammar::Tag& tag) -> void {
    CHECK_MESSAGE(is_sentence(tag.text), tag.name);
    for (const grammar::Attribute& attribute : tag.attributes) {
      CHECK_MESSAGE(is_sentence(attribute.text), attribute.name);
    }
    for (const grammar::Child& child : tag.children) {
      self(self, *child.tag);
    }
  };
  visit(visit, grammar::grammar());
}
