// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus::acceleration {

/// How columns that are nearly linear combinations of newer ones are found and deleted. With R the
/// factor of the columns v_j, newest first: Haelterman et al. (2016),
/// doi:10.1016/j.compstruc.2016.04.001.
enum class Filter {
  qr1,          // |R_jj| < limit · |R|
  qr1_absolute, // |R_jj| < limit; a single column stays
  qr2,          // |R_jj| < limit · |v_j|
  qr3           // as qr2; elsewhere cheaper to find, here the same
};

/// What the parts of the system that belong to different fields are divided by.
enum class Preconditioner {
  constant,    // 1 / Field::scaling
  value,       // norm of the data at the end of the previous window, at first of the first step
  residual,    // norm of the residual
  residual_sum // sum of the relative norms of the residual in this window
};

enum class OnBoundViolation {
  ignore,
  clamp,   // every value for itself
  discard, // H(x_k) instead of the step
  scale    // the correction of H(x_k) is shortened, that of all data alike
};

struct PreconditionerSettings {
  Preconditioner kind = Preconditioner::residual_sum;
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
  Filter filter = Filter::qr3;
  double filter_limit = 1e-2;
  PreconditionerSettings preconditioner = {};
  bool reduced_time_grid = true; // only the last sample enters the equations
  OnBoundViolation on_bound_violation = OnBoundViolation::ignore;
};

/// What happens to the Jacobian of IQN-IMVJ, which would grow with every window.
enum class Restart {
  none,          // kept
  zero,          // forgotten
  least_squares, // replaced by the one of the latest secants
  svd,           // truncated to its largest singular values
  slide          // only the latest windows count
};

struct RestartSettings {
  Restart mode = Restart::svd;
  int chunk_size = 8;       // windows between restarts, or that slide along
  int reused_windows = 8;   // for least_squares
  double truncation = 1e-4; // for svd: relative to the largest singular value
  /// For none: the Jacobian of a window knows nothing of its last iteration, as in preCICE, which
  /// makes it for each step and keeps the last one.
  bool always_build = false;
};

} // namespace isthmus::acceleration
