// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/grammar.hpp"

#include <algorithm>
#include <array>

/// Words to write the grammar tables with.
namespace isthmus::grammar::table {

constexpr Attribute required(std::string_view name, Type type, std::string_view text,
                             std::string_view options = {}) {
  return {name, type, true, {}, options, text};
}

constexpr Attribute optional(std::string_view name, Type type, std::string_view fallback,
                             std::string_view text, std::string_view options = {}) {
  return {name, type, false, fallback, options, text};
}

/// Children that may occur equally often.
template <typename... Tags>
constexpr std::array<Child, sizeof...(Tags)> each(Occurs occurs, const Tags&... tags) {
  return {Child{&tags, occurs}...};
}

/// One array of several.
template <typename T, std::size_t... N>
constexpr auto join(const std::array<T, N>&... parts) {
  std::array<T, (N + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return all;
}

} // namespace isthmus::grammar::table
