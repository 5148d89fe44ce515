// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/grammar.hpp"
#include "isthmus/grammar/xml.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::grammar {

/// An element that passed check_grammar, with the defaults of the grammar.
class Node {
 public:
  Node(const XmlElement& element, const Tag& tag) : element_(&element), tag_(&tag) {}

  [[nodiscard]] const Tag& tag() const { return *tag_; }
  [[nodiscard]] int line() const { return element_->line; }
  /// "gaussian" of <basis-function:gaussian>.
  [[nodiscard]] std::string kind() const { return std::string(grammar::kind(tag_->name)); }
  /// Whether the grammar gives this tag the attribute.
  [[nodiscard]] bool has(std::string_view attribute) const;

  /// Whether the file gives it.
  [[nodiscard]] bool gives(std::string_view attribute) const {
    return element_->find(attribute) != nullptr;
  }

  // Values, given or default
  [[nodiscard]] std::string text(std::string_view attribute) const;
  [[nodiscard]] bool flag(std::string_view attribute) const;
  [[nodiscard]] int integer(std::string_view attribute) const;
  [[nodiscard]] double real(std::string_view attribute) const; // nan: not given
  [[nodiscard]] std::vector<double> vector(std::string_view attribute) const;

  [[nodiscard]] std::vector<Node> children() const;
  /// Children of this name, or of "name:anything".
  [[nodiscard]] std::vector<Node> children(std::string_view name) const;
  /// The only child of this name, or of "name:anything".
  [[nodiscard]] std::optional<Node> child(std::string_view name) const;

 private:
  const XmlElement* element_;
  const Tag* tag_;
};

} // namespace isthmus::grammar
