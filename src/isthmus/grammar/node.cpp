// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/node.hpp"

#include "isthmus/grammar/values.hpp"

#include <limits>

namespace isthmus::grammar {

bool Node::has(std::string_view attribute) const {
  return tag_->find_attribute(attribute) != nullptr;
}

std::string Node::text(std::string_view attribute) const {
  const XmlAttribute* given = element_->find(attribute);
  return given != nullptr ? given->value : std::string(tag_->find_attribute(attribute)->fallback);
}

bool Node::flag(std::string_view attribute) const {
  return to_boolean(text(attribute)).value();
}

int Node::integer(std::string_view attribute) const {
  return to_integer(text(attribute)).value();
}

double Node::real(std::string_view attribute) const {
  return to_real(text(attribute)).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::vector<double> Node::vector(std::string_view attribute) const {
  return to_vector(text(attribute)).value();
}

std::vector<Node> Node::children() const {
  std::vector<Node> all;
  for (const XmlElement& element : element_->children) {
    all.emplace_back(element, *tag_->find_child(element.name));
  }
  return all;
}

std::vector<Node> Node::children(std::string_view name) const {
  std::vector<Node> some;
  for (const Node& child : children()) {
    if (child.tag_->name == name || prefix(child.tag_->name) == name) {
      some.push_back(child);
    }
  }
  return some;
}

std::optional<Node> Node::child(std::string_view name) const {
  const std::vector<Node> some = children(name);
  return some.empty() ? std::nullopt : std::optional(some.front());
}

} // namespace isthmus::grammar
