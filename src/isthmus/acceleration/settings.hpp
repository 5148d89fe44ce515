// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

namespace isthmus::acceleration {

using isthmus::FilterType;
using isthmus::OnBoundViolation;
using isthmus::PreconditionerType;
using isthmus::RestartMode;

struct PreconditionerSettings {
  PreconditionerType kind = PreconditionerType::residual_sum;
  /// residual_sum after the first window: only when a weight has changed by a factor of ten.
  bool update_on_threshold = true;
  int freeze_after = -1; // windows; not above 0: never
};

struct AitkenSettings {
  double initial_relaxation = 0.5;
  PreconditionerSettings preconditioner = {};
};

struct QuasiNewtonSettings {
  double initial_relaxation = 0.1;
  bool enforce_initial_relaxation = false; // in the first iteration of every window
  int max_used_iterations = 100;
  int time_windows_reused = 10; // 0: the first step of a window still uses those of the last one
  FilterType filter = FilterType::qr3;
  double filter_limit = 1e-2;
  PreconditionerSettings preconditioner = {};
  bool reduced_time_grid = true; // only the last sample enters the equations
  OnBoundViolation on_bound_violation = OnBoundViolation::ignore;
};

struct JacobianRestart {
  RestartMode mode = RestartMode::svd;
  int chunk_size = 8;       // windows between restarts, or that slide along
  int reused_windows = 8;   // for least_squares
  double truncation = 1e-4; // for svd: relative to the largest singular value
  /// For none: the Jacobian of a window knows nothing of its last iteration, as in preCICE, which
  /// makes it for each step and keeps the last one.
  bool always_build = false;
};

} // namespace isthmus::acceleration
