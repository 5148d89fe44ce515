// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string_view>

/// Enumerators as the words of the language.
namespace isthmus::config {

[[nodiscard]] std::string_view name(Direction direction);
[[nodiscard]] std::string_view name(Constraint constraint);
[[nodiscard]] std::string_view name(MappingKind kind);
[[nodiscard]] std::string_view name(SchemeKind kind);
[[nodiscard]] std::string_view name(MeasureKind kind);
[[nodiscard]] std::string_view name(GeometricFilter filter);
[[nodiscard]] std::string_view name(Initialization initialization);

/// The enumerator of a word that the grammar admits.
template <typename Enum>
[[nodiscard]] Enum from_name(std::string_view word, Enum last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name(static_cast<Enum>(i)) == word) {
      return static_cast<Enum>(i);
    }
  }
  return last;
}

} // namespace isthmus::config
