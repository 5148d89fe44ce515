// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

#include <span>

namespace isthmus::radial {

/// A radial function phi(r).
struct RadialFunction {
  using Kind = BasisKind;
  Kind kind = Kind::compact_polynomial_c6;
  double parameter = 1; // support radius (compact ones) or shape parameter; splines have none

  /// phi at distance `r` >= 0. Sources: H. Wendland, Adv. Comput. Math. 4 (1995) 389, doi
  /// 10.1007/BF02123482; compact thin plate spline: A. de Boer, M. S. van der Schoot, H. Bijl,
  /// Comput. Struct. 85 (2007) 784, doi 10.1016/j.compstruc.2007.01.013.
  [[nodiscard]] double operator()(double r) const;

  /// Replaces squares of distances by phi there.
  void apply_to_squares(std::span<double> distances2) const;

  /// Zero from the distance `parameter` on.
  [[nodiscard]] bool is_compact() const { return isthmus::is_compact(kind); }

  [[nodiscard]] bool positive_definite() const { return is_positive_definite(kind); }

  /// The shape parameter for which a Gaussian has fallen to 1e-9 at `support_radius`.
  [[nodiscard]] static double gaussian_shape(double support_radius);
};

} // namespace isthmus::radial
