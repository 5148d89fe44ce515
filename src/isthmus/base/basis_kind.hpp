// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus {

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

} // namespace isthmus
