// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/environment.hpp"

namespace isthmus::comm {

/// How many seconds a wait for others may last in which nothing arrives, unless something else is
/// said: a day, as others compute between two messages.
constexpr double default_progress_timeout_s = 86400;

/// The same as ISTHMUS_PATIENCE says it, `otherwise` where that is unset. Error: it is no positive
/// number.
[[nodiscard]] inline double progress_timeout_or(double otherwise) {
  return environment_seconds("ISTHMUS_PATIENCE").value_or(otherwise);
}

} // namespace isthmus::comm
