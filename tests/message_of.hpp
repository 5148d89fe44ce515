// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <string>

namespace isthmus {

/// What an action that must fail says.
template <typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace isthmus
