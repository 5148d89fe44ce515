// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace isthmus {

/// What an environment variable of ours says; null where it is unset. Empty is unset: that is what
/// scripts and queues leave who pass on a variable that nobody gave them.
[[nodiscard]] inline const char* environment_variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

/// The number in an environment variable; nothing where it is unset. Error where it is not that or
/// below `least`: it "is no" `meaning`.
[[nodiscard]] inline std::optional<double> environment_number(const char* name, double least,
                                                              std::string_view meaning) {
  const char* const text = environment_variable(name);
  if (text == nullptr) {
    return {};
  }
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  check(end != text && *end == '\0' && number >= least, "environment variable {}=\"{}\" is no {}",
        name, text, meaning);
  return number;
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
