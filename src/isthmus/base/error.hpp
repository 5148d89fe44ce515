// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/exception.hpp"

#include <fmt/core.h>

#include <utility>

namespace isthmus {

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
