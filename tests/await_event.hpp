// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"

#include <chrono>
#include <string_view>
#include <thread>

namespace isthmus {

/// Looks until `has_come()`, of what another thread or process does and tells nobody. Throws Error
/// with these words where it does not come for longer than a busy machine may need.
template <typename Event>
void await_event(std::string_view complaint, const Event& has_come) {
  for (const Deadline deadline(120); !has_come();) {
    check(!deadline.passed(), "{}", complaint);
    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // between two looks
  }
}

} // namespace isthmus
