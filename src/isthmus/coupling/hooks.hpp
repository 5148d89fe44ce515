// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/field.hpp"

#include <functional>

namespace isthmus::coupling {

/// Called in every step where somebody looks at the data beside the coupling.
struct Hooks {
  std::function<void()> written;  // what the solver wrote is mapped and not sent yet
  std::function<void()> received; // what arrived is mapped
  /// Before `received`, after an iteration of the window that begins at `start`: samples of this
  /// window come anew, those that the solver writes only if it is `repeated`.
  std::function<void(double start, bool repeated)> replaced;
  /// Before `written`: what the solver wrote is mapped once more, to a mesh that was reset.
  std::function<void(const fields::Field& target)> mapped_again;
};

} // namespace isthmus::coupling
