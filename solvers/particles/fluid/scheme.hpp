// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/migration.hpp"
#include "particles/fluid/neighbours.hpp"

namespace isthmus::mps {

/// What flows, and what pulls it.
struct Liquid {
  double density = 1000;
  double viscosity = 1e-6; // kinematic
  double tension = 0;      // of the surface, semi-implicit form only
  Vector gravity{};
  bool slips = true; // on walls
};

/// What a step cost.
struct StepReport {
  int iterations = 0; // of the solver of the pressures; 0 where there is none
  double residual = 0;
};

/// How particles are moved by one step in time.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// Collective. Moves the owned fluid and leaves its pressures. The particles have come from a
  /// migration and lie where `neighbours` were found; another migration must follow. Throws Error
  /// on all ranks.
  virtual StepReport advance(State& state, const Neighbours& neighbours,
                             exchange::Migration& migration, double step) = 0;
};

} // namespace isthmus::mps
