// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus {

// What the configuration language names of mappings and accelerations, and what these know, too.

/// The radial functions that the configuration language names and the mappings know. Those named
/// compact are zero beyond their support.
enum class BasisKind {
  compact_polynomial_c0,
  compact_polynomial_c2,
  compact_polynomial_c4,
  compact_polynomial_c6,
  compact_polynomial_c8,
  compact_tps_c2,
  gaussian,
  multiquadrics,
  inverse_multiquadrics,
  thin_plate_splines,
  volume_splines
};

[[nodiscard]] constexpr bool is_compact(BasisKind kind) {
  return kind <= BasisKind::compact_tps_c2;
}

/// Its matrices are symmetric and positive definite, whatever the (different) points are.
[[nodiscard]] constexpr bool is_positive_definite(BasisKind kind) {
  return kind != BasisKind::multiquadrics && kind != BasisKind::thin_plate_splines &&
         kind != BasisKind::volume_splines;
}

/// The linear polynomial beside the radial functions: none; part of one system with them; or fitted
/// first by least squares, the radial functions taking what remains.
enum class Polynomial { off, on, separate };

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
