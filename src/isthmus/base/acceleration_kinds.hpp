// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus {

// What the configuration language names of accelerations, and these know.

/// How columns that are nearly linear combinations of newer ones are found and deleted. With R the
/// factor of the columns v_j, newest first: Haelterman et al. (2016),
/// doi:10.1016/j.compstruc.2016.04.001.
enum class FilterType {
  qr1,          // |R_jj| < limit · |R|
  qr1_absolute, // |R_jj| < limit; a single column stays
  qr2,          // |R_jj| < limit · |v_j|
  qr3           // as qr2; elsewhere cheaper to find, here the same
};

/// What the parts of the system that belong to different fields are divided by.
enum class PreconditionerType {
  constant,    // 1 / the scaling of the field
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

/// What happens to the Jacobian of IQN-IMVJ, which would grow with every window.
enum class RestartMode {
  none,          // kept
  zero,          // forgotten
  least_squares, // replaced by the one of the latest secants
  svd,           // truncated to its largest singular values
  slide          // only the latest windows count
};

} // namespace isthmus
