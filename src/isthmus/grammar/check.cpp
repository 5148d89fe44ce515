// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/check.hpp"

#include "isthmus/grammar/file_line.hpp"
#include "isthmus/grammar/grammar.hpp"
#include "isthmus/grammar/suggest.hpp"
#include "isthmus/grammar/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace isthmus::grammar {

namespace {

/// What a value of this type must be; empty if `value` is that.
std::string_view complaint(Type type, const std::string& value) {
  switch (type) {
    case Type::text:
      return "";
    case Type::boolean:
      return to_boolean(value) ? "" : "true or false (or yes, no, on, off, 1, 0)";
    case Type::integer:
      return to_integer(value) ? "" : "a whole number that fits into 32 bits";
    case Type::real:
      return to_real(value) ? "" : "a number, as in 1.5e-3";
    case Type::vector:
      return to_vector(value) ? "" : "numbers separated by semicolons, as in 0.5;1";
  }
  return "";
}

bool is_namespace(const std::string& attribute) {
  return attribute == "xmlns" || attribute.rfind("xmlns:", 0) == 0;
}

void check_value(const XmlElement& element, const XmlAttribute& given, const Attribute& known,
                 const std::string& file) {
  const FileLine line{file, given.line};
  const std::string_view wanted =
      known.is_ignored ? std::string_view() : complaint(known.type, given.value);
  check_at(wanted.empty(), line, "{} attribute {}=\"{:.60}\" must be {}", element.label(),
           given.name, given.value, wanted);
  const std::vector<std::string> choices = known.choices();
  if (!choices.empty() && std::count(choices.begin(), choices.end(), given.value) == 0) {
    fail_at(line, "{} attribute {}=\"{:.60}\" must be one of: {}{}", element.label(), given.name,
            given.value, fmt::join(choices, ", "), did_you_mean(given.value, choices));
  }
}

[[noreturn]] void fail_of_attribute(const XmlElement& element, const XmlAttribute& given,
                                    const Tag& tag, const std::string& file) {
  std::vector<std::string> names;
  for (const Attribute& known : tag.attributes) {
    names.emplace_back(known.name);
  }
  fail_at({file, given.line}, "{} has no attribute \"{:.60}\"{}", element.label(), given.name,
          suggestion(given.name, names));
}

void check_attributes(const XmlElement& element, const Tag& tag, const std::string& file) {
  for (const Attribute& known : tag.attributes) {
    check_at(!known.required || element.find(known.name) != nullptr, {file, element.line},
             "{} lacks the attribute \"{}\": {}", element.label(), known.name, known.text);
  }
  for (const XmlAttribute& given : element.attributes) {
    if (is_namespace(given.name)) {
      continue;
    }
    const Attribute* known = tag.find_attribute(given.name);
    if (known == nullptr) { // only then what was meant is sought
      fail_of_attribute(element, given, tag, file);
    }
    check_value(element, given, *known, file);
  }
}

void check_version(const XmlElement& element, const std::string& file) {
  check_at(element.name != "solver-interface", {file, element.line},
           "<solver-interface> is of preCICE 1 or 2; put what stands inside straight into "
           "<precice-configuration>, and see preCICE's porting guides");
}

void check_unknown(const XmlElement& parent, const XmlElement& child, const Tag& tag,
                   const std::string& file) {
  if (tag.find_child(child.name) != nullptr) {
    return;
  }
  check_version(child, file);
  std::vector<std::string> names;
  for (const Child& known : tag.children) {
    names.emplace_back(known.tag->name);
  }
  fail_at({file, child.line}, "<{:.60}> is not known inside {}{}", child.name, parent.label(),
          names.empty() ? "; nothing may stand there" : suggestion(child.name, names));
}

/// Of tags like "executor:cpu" and "executor:cuda", one may stand if it may stand only once.
void check_alternatives(const XmlElement& element, const Tag& tag, const std::string& file) {
  std::map<std::string_view, const XmlElement*> first;
  for (const XmlElement& child : element.children) {
    const auto known = std::find_if(tag.children.begin(), tag.children.end(),
                                    [&](const Child& one) { return one.tag->name == child.name; });
    if (known->occurs != Occurs::optional && known->occurs != Occurs::once) {
      continue;
    }
    const auto [other, is_first] = first.emplace(prefix(child.name), &child);
    check_at(is_first, {file, child.line},
             "{} contains <{}> although <{}> stands in line {}; keep one", element.label(),
             child.name, other->second->name, other->second->line);
  }
}

void check_children(const XmlElement& element, const Tag& tag, const std::string& file) {
  for (const XmlElement& child : element.children) {
    check_unknown(element, child, tag, file);
  }
  check_alternatives(element, tag, file);
  for (const Child& known : tag.children) {
    const auto given = std::count_if(element.children.begin(), element.children.end(),
                                     [&](const auto& one) { return one.name == known.tag->name; });
    const bool needed = known.occurs == Occurs::once || known.occurs == Occurs::some;
    check_at(given > 0 || !needed, {file, element.line}, "{} lacks <{} .../>: {}", element.label(),
             known.tag->name, known.tag->text);
  }
}

void check_element(const XmlElement& element, const Tag& tag, const std::string& file) {
  check_attributes(element, tag, file);
  check_children(element, tag, file);
  for (const XmlElement& child : element.children) {
    check_element(child, *tag.find_child(child.name), file);
  }
}

} // namespace

void check_grammar(const XmlElement& root, const std::string& file) {
  const FileLine line{file, root.line};
  check_version(root, file);
  check_at(root.name == grammar().name, line, "the outermost tag is <{:.60}>; it must be <{}>",
           root.name, grammar().name);
  check_element(root, grammar(), file);
}

} // namespace isthmus::grammar
