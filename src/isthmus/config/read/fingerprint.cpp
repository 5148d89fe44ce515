// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/fingerprint.hpp"

#include "isthmus/base/hash.hpp"

#include <fmt/format.h>

namespace isthmus::config {

namespace {

using IsSilent = bool (*)(std::string_view tag);

bool is_silent(std::string_view tag) {
  const std::string_view group = grammar::prefix(tag);
  return group == "log" || group == "profiling" || group == "export" || group == "watch-point" ||
         group == "watch-integral";
}

bool is_silent_in_restart(std::string_view tag) {
  return is_silent(tag) || grammar::prefix(tag) == "m2n" || tag == "max-time" ||
         tag == "max-time-windows";
}

std::string normal(const grammar::Node& node, const grammar::Attribute& attribute) {
  switch (attribute.type) {
    case grammar::Type::text:
      return node.text(attribute.name);
    case grammar::Type::boolean:
      return node.flag(attribute.name) ? "true" : "false";
    case grammar::Type::integer:
      return fmt::format("{}", node.integer(attribute.name));
    case grammar::Type::real:
      return fmt::format("{}", node.real(attribute.name));
    case grammar::Type::vector:
      return fmt::format("{}", fmt::join(node.vector(attribute.name), ";"));
  }
  return "";
}

void append(const grammar::Node& node, IsSilent silent, std::string& text) {
  text += fmt::format("<{}", node.tag().name);
  for (const grammar::Attribute& attribute : node.tag().attributes) {
    const std::string value = normal(node, attribute);
    text += fmt::format(" {}={}:{}", attribute.name, value.size(), value);
  }
  for (const grammar::Node& child : node.children()) {
    if (!silent(child.tag().name)) {
      append(child, silent, text);
    }
  }
  text += '>';
}

std::string hash_of(const grammar::Node& node, IsSilent silent) {
  std::string text;
  append(node, silent, text);
  FowlerNollVo hash;
  for (const char letter : text) {
    hash.add(static_cast<unsigned char>(letter));
  }
  return fmt::format("{:016x}", hash.value());
}

std::string label(const grammar::Node& node) {
  return node.has("name") ? fmt::format("<{} name=\"{}\">", node.tag().name, node.text("name"))
                          : fmt::format("<{}>", node.tag().name);
}

std::string lines_of(const grammar::Node& root, IsSilent silent) {
  std::string lines;
  for (const grammar::Node& child : root.children()) {
    if (!silent(child.tag().name)) {
      lines += fmt::format("{} {}\n", label(child), hash_of(child, silent));
    }
  }
  return lines;
}

} // namespace

std::string fingerprint(const grammar::Node& root) {
  return hash_of(root, is_silent);
}

std::string digest(const grammar::Node& root) {
  return lines_of(root, is_silent);
}

std::string case_digest(const grammar::Node& root) {
  return lines_of(root, is_silent_in_restart);
}

} // namespace isthmus::config
