// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <string>
#include <string_view>

namespace isthmus {

/// What the Error says that an action throws, which may be one of another interface; "" if it
/// throws none.
template <typename Failure = Error, typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Failure& error) {
    return error.what();
  }
  return {};
}

/// What an action that must fail says.
template <typename Failure = Error, typename Action>
std::string message_of(const Action& action) {
  const std::string said = error_of<Failure>(action);
  return said.empty() ? "no error" : said;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace isthmus
