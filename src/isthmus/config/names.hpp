// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"

#include <algorithm>
#include <span>
#include <string_view>

/// Enumerators as the words of the language.
namespace isthmus::config {

/// The words of an enumeration, in the order of its enumerators; the argument says which one.
using Words = std::span<const std::string_view>;
[[nodiscard]] Words words_of(SinkType);
[[nodiscard]] Words words_of(ProfilingMode);
[[nodiscard]] Words words_of(M2NKind);
[[nodiscard]] Words words_of(Initialization);
[[nodiscard]] Words words_of(GeometricFilter);
[[nodiscard]] Words words_of(Direction);
[[nodiscard]] Words words_of(Constraint);
[[nodiscard]] Words words_of(MappingKind);
[[nodiscard]] Words words_of(BasisKind);
[[nodiscard]] Words words_of(ExecutorKind);
[[nodiscard]] Words words_of(Polynomial);
[[nodiscard]] Words words_of(MultiscaleDimension);
[[nodiscard]] Words words_of(MultiscaleType);
[[nodiscard]] Words words_of(Axis);
[[nodiscard]] Words words_of(CrossSectionProfile);
[[nodiscard]] Words words_of(CrossSection);
[[nodiscard]] Words words_of(ActionKind);
[[nodiscard]] Words words_of(ActionTiming);
[[nodiscard]] Words words_of(ExportKind);
[[nodiscard]] Words words_of(SchemeKind);
[[nodiscard]] Words words_of(MeasureKind);
[[nodiscard]] Words words_of(AccelerationKind);
[[nodiscard]] Words words_of(PreconditionerType);
[[nodiscard]] Words words_of(FilterType);
[[nodiscard]] Words words_of(OnBoundViolation);
[[nodiscard]] Words words_of(RestartMode);

template <typename Enum>
[[nodiscard]] std::string_view name(Enum enumerator) {
  return words_of(enumerator)[static_cast<std::size_t>(enumerator)];
}

/// The enumerator of a word. Error: it is none of them, which the grammar does not admit.
template <typename Enum>
[[nodiscard]] Enum from_name(std::string_view word) {
  const Words words = words_of(Enum{});
  const auto found = std::find(words.begin(), words.end(), word);
  check(found != words.end(), "\"{}\" is none of the choices", word);
  return static_cast<Enum>(found - words.begin());
}

} // namespace isthmus::config
