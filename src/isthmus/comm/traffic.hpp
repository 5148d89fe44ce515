// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace isthmus::comm {

/// What one rank sent. Scale is claimed on these counts, not on times.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  void count(std::size_t size) {
    ++messages;
    bytes += static_cast<std::int64_t>(size);
  }
};

} // namespace isthmus::comm
