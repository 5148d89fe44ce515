// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace isthmus {

/// What an environment variable of ours says; null where it is unset. Empty is unset: that is what
/// scripts and queues leave who pass on a variable that nobody gave them.
inline const char* environment_variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

} // namespace isthmus
