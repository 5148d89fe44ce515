// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/field.hpp"

namespace isthmus::coupling {

/// Who looks at the data in every step, beside the coupling.
class Hooks {
 public:
  Hooks() = default;
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;
  virtual ~Hooks() = default;

  /// What the solver wrote is mapped and not sent yet.
  virtual void written() = 0;
  /// What arrived is mapped.
  virtual void received() = 0;
  /// Before received(), after an iteration of the window that begins at `start`: samples of this
  /// window come anew, those that the solver writes only if it is `repeated`.
  virtual void replaced(double start, bool repeated) = 0;
  /// Before written(): what the solver wrote is mapped once more, to a mesh that was reset.
  virtual void mapped_again(const fields::Field& target) = 0;
};

} // namespace isthmus::coupling
