// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace isthmus {

/// What a user can act upon: the text names the place, the thing and the remedy.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws an Error with the formatted advice unless `condition` holds. Local: on data that differs
/// between ranks use comm::agree so that all ranks fail together.
template <typename... Args>
void check(bool condition, fmt::format_string<Args...> advice, Args&&... args) {
  if (!condition) [[unlikely]] {
    throw Error(fmt::format(advice, std::forward<Args>(args)...));
  }
}

/// Throws an Error with the formatted advice.
template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> advice, Args&&... args) {
  throw Error(fmt::format(advice, std::forward<Args>(args)...));
}

} // namespace isthmus
