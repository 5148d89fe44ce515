// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/reference.hpp"

#include "isthmus/grammar/grammar.hpp"

#include <fmt/format.h>

#include <map>
#include <ostream>
#include <set>

namespace isthmus::grammar {

namespace {

std::string value_text(const Attribute& attribute) {
  return attribute.required ? "required" : fmt::format("default \"{}\"", attribute.fallback);
}

std::string choice_text(const Attribute& attribute) {
  return attribute.options.empty() ? "" : fmt::format(", one of: {}", attribute.options);
}

// XML: every tag once in its place, with a comment

std::string example(const Attribute& attribute) {
  return fmt::format(" {}=\"{}\"", attribute.name,
                     attribute.required ? fmt::format("{{{}}}", name(attribute.type))
                                        : std::string(attribute.fallback));
}

void print_xml(std::ostream& stream, const Tag& tag, std::string_view occurs,
               const std::string& indent) {
  stream << indent << "<!-- TAG " << tag.name << " (" << occurs << "): " << tag.text << '\n';
  for (const Attribute& attribute : tag.attributes) {
    stream << indent << "     " << attribute.name << " (" << name(attribute.type) << ", "
           << value_text(attribute) << choice_text(attribute) << "): " << attribute.text << '\n';
  }
  stream << indent << "-->\n" << indent << '<' << tag.name;
  for (const Attribute& attribute : tag.attributes) {
    stream << example(attribute);
  }
  if (tag.children.empty()) {
    stream << " />\n";
    return;
  }
  stream << ">\n";
  for (const Child& child : tag.children) {
    print_xml(stream, *child.tag, name(child.occurs), indent + "  ");
  }
  stream << indent << "</" << tag.name << ">\n";
}

// DTD: a name has one declaration, whatever its parent, so tags of one name are merged

struct Element {
  std::set<std::string> children;
  std::map<std::string, const Attribute*> attributes; // null: optional without default
};

void collect(const Tag& tag, std::map<std::string, Element>& elements) {
  Element& element = elements[std::string(tag.name)];
  for (const Attribute& attribute : tag.attributes) {
    const auto [known, is_new] = element.attributes.emplace(attribute.name, &attribute);
    if (!is_new && known->second != nullptr && known->second->fallback != attribute.fallback) {
      known->second = nullptr;
    }
  }
  for (const Child& child : tag.children) {
    element.children.emplace(child.tag->name);
    collect(*child.tag, elements);
  }
}

std::string dtd_attribute(const std::string& key, const Attribute* attribute) {
  if (attribute == nullptr) {
    return fmt::format("{} CDATA #IMPLIED", key);
  }
  const auto choices = attribute->choices();
  return fmt::format(
      "{} {} {}", key, choices.empty() ? "CDATA" : fmt::format("({})", fmt::join(choices, " | ")),
      attribute->required ? "#REQUIRED" : fmt::format("\"{}\"", attribute->fallback));
}

void print_dtd(std::ostream& stream) {
  std::map<std::string, Element> elements;
  collect(grammar(), elements);
  for (const auto& [key, element] : elements) {
    stream << fmt::format("<!ELEMENT {} {}>\n", key,
                          element.children.empty()
                              ? "EMPTY"
                              : fmt::format("({})*", fmt::join(element.children, " | ")));
    for (const auto& [attribute_key, attribute] : element.attributes) {
      stream << "<!ATTLIST " << key << ' ' << dtd_attribute(attribute_key, attribute) << ">\n";
    }
  }
}

// Markdown: one heading per path

std::string default_text(const Attribute& attribute) {
  return attribute.required           ? "required"
         : attribute.fallback.empty() ? ""
                                      : fmt::format("`{}`", attribute.fallback);
}

void print_markdown(std::ostream& stream, const Tag& tag, const std::string& parent,
                    std::string_view occurs) {
  const std::string path =
      parent.empty() ? std::string(tag.name) : fmt::format("{}/{}", parent, tag.name);
  stream << "## " << path << "\n\n" << tag.text << " Occurs " << occurs << ".\n\n";
  if (!tag.attributes.empty()) {
    stream << "| attribute | type | default | options | meaning |\n|---|---|---|---|---|\n";
  }
  for (const Attribute& attribute : tag.attributes) {
    stream << fmt::format("| `{}` | {} | {} | {} | {} |\n", attribute.name, name(attribute.type),
                          default_text(attribute), attribute.options, attribute.text);
  }
  stream << (tag.attributes.empty() ? "" : "\n");
  const std::string below = &tag == &grammar() ? "" : path;
  for (const Child& child : tag.children) {
    print_markdown(stream, *child.tag, below, name(child.occurs));
  }
}

} // namespace

void print_reference(std::ostream& stream, ReferenceFormat format) {
  switch (format) {
    case ReferenceFormat::xml:
      stream << "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n";
      print_xml(stream, grammar(), name(Occurs::once), "");
      break;
    case ReferenceFormat::dtd:
      print_dtd(stream);
      break;
    case ReferenceFormat::markdown:
      stream << "# Configuration reference\n\n";
      print_markdown(stream, grammar(), "", name(Occurs::once));
      break;
  }
}

} // namespace isthmus::grammar
