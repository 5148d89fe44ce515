// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace isthmus {

/// What a user can act upon: the text names the place, the thing and the remedy.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

} // namespace isthmus
