// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isthmus::grammar {

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0;
};

/// An element of an XML file with its line, without comments and processing instructions.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::vector<std::string> notes; ///< texts between its tags, which mean nothing, with their lines
  int line = 0;

  [[nodiscard]] const XmlAttribute* find(std::string_view attribute) const; // null if not given
  /// <name first="value">, for messages.
  [[nodiscard]] std::string label() const;
};

/// The content of a file. Error if it cannot be read.
[[nodiscard]] std::string read_file(const std::string& file);

/// The root element of an XML text. Errors name `file` and the line.
[[nodiscard]] XmlElement parse_xml(const std::string& text, const std::string& file);

} // namespace isthmus::grammar
