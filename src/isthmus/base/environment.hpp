// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

namespace isthmus {

/// What an environment variable of ours says; null where it is unset. Empty is unset: that is what
/// scripts and queues leave who pass on a variable that nobody gave them.
[[nodiscard]] inline const char* environment_variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

/// Numbers that an environment variable may hold.
struct NumberRange {
  double least;
  double most = std::numeric_limits<double>::infinity();
  bool whole = false; // has no digits behind the point
};

/// The number in an environment variable; nothing where it is unset. Error where it is not that or
/// none of `allowed`: it "is no" `meaning`.
[[nodiscard]] inline std::optional<double> environment_number(const char* name,
                                                              const NumberRange& allowed,
                                                              std::string_view meaning) {
  const char* const text = environment_variable(name);
  if (text == nullptr) {
    return {};
  }
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  const bool is_read = end != text && *end == '\0';
  check(is_read && number >= allowed.least && number <= allowed.most &&
            (!allowed.whole || number == std::trunc(number)),
        "environment variable {}=\"{}\" is no {}", name, text, meaning);
  return number;
}

/// The same for a count, from `least` to `most`.
[[nodiscard]] inline std::optional<int> environment_count(
    const char* name, int least, std::string_view meaning,
    int most = std::numeric_limits<int>::max()) {
  const NumberRange allowed{static_cast<double>(least), static_cast<double>(most), true};
  const std::optional<double> number = environment_number(name, allowed, meaning);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// The same for a positive number of seconds, of which infinity is one.
[[nodiscard]] inline std::optional<double> environment_seconds(const char* name) {
  constexpr double least = std::numeric_limits<double>::min();
  return environment_number(name, {least}, "positive number of seconds");
}

/// Whether an environment variable is 1; it is not where it is unset or 0. Error: anything else.
[[nodiscard]] inline bool environment_switch(const char* name) {
  const char* const text = environment_variable(name);
  const std::string_view word = text == nullptr ? "0" : text;
  check(word == "0" || word == "1",
        "environment variable {}=\"{}\" is neither 1, which switches on, nor 0", name, word);
  return word == "1";
}

} // namespace isthmus
