// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The configuration language as one table: reader, reference printer and tests use nothing else.
namespace isthmus::grammar {

enum class Type { text, boolean, integer, real, vector };

[[nodiscard]] std::string_view name(Type type);

/// How often a tag may stand in its parent. Of `optional` tags that share a prefix ("executor:cpu",
/// "executor:cuda") only one may.
enum class Occurs { optional, once, any, some };

[[nodiscard]] std::string_view name(Occurs occurs); // 0..1, 1, 0..*, 1..*

struct Attribute {
  std::string_view name;
  Type type;
  bool required;
  std::string_view fallback; // default value, as it would be written
  std::string_view options;  // "a, b, c"; empty: any value
  std::string_view text;     // one sentence
  bool is_ignored = false;   // the value means nothing, so it may be any

  /// The options one by one.
  [[nodiscard]] std::vector<std::string> choices() const;
};

struct Tag;

struct Child {
  const Tag* tag;
  Occurs occurs;
};

struct Tag {
  std::string_view name;
  std::string_view text; // one sentence
  std::span<const Attribute> attributes = {};
  std::span<const Child> children = {};

  // null if there is none
  [[nodiscard]] const Attribute* find_attribute(std::string_view attribute) const;
  [[nodiscard]] const Tag* find_child(std::string_view child) const;
};

/// <precice-configuration>, from which everything else hangs.
[[nodiscard]] const Tag& grammar();

/// "basis-function" of "basis-function:gaussian"; all of a name without colon.
[[nodiscard]] std::string_view prefix(std::string_view tag);
/// "gaussian" of "basis-function:gaussian"; empty for a name without colon.
[[nodiscard]] std::string_view kind(std::string_view tag);

} // namespace isthmus::grammar
