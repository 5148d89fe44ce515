// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <string>
#include <utility>

namespace isthmus::grammar {

/// A line of a configuration file; every message starts with one.
struct FileLine {
  const std::string& file;
  int line;

  [[nodiscard]] std::string text() const { return fmt::format("{}:{}: ", file, line); }
};

/// Throws an Error "file:line: advice".
template <typename... Args>
[[noreturn]] void fail_at(const FileLine& line, fmt::format_string<Args...> advice,
                          Args&&... args) {
  throw Error(line.text() + fmt::format(advice, std::forward<Args>(args)...));
}

/// Throws an Error "file:line: advice" unless `condition` holds.
template <typename... Args>
void check_at(bool condition, const FileLine& line, fmt::format_string<Args...> advice,
              Args&&... args) {
  if (!condition) [[unlikely]] {
    fail_at(line, advice, std::forward<Args>(args)...);
  }
}

} // namespace isthmus::grammar
