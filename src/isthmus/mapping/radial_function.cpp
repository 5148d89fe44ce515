// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/radial_function.hpp"

#include <cmath>

namespace isthmus::mapping {

namespace {

double square(double x) {
  return x * x;
}

/// Wendland's functions and the compact thin plate spline of p = r / radius in [0, 1).
double compact(RadialFunction::Kind kind, double p) {
  using Kind = RadialFunction::Kind;
  const double q2 = square(1.0 - p);
  const double q4 = square(q2);
  switch (kind) {
    case Kind::compact_polynomial_c0:
      return q2;
    case Kind::compact_polynomial_c2:
      return q4 * (4.0 * p + 1.0);
    case Kind::compact_polynomial_c4:
      return q4 * q2 * ((35.0 * p + 18.0) * p + 3.0);
    case Kind::compact_polynomial_c6:
      return q4 * q4 * (((32.0 * p + 25.0) * p + 8.0) * p + 1.0);
    case Kind::compact_polynomial_c8:
      return q4 * q4 * q2 * ((((1287.0 * p + 1350.0) * p + 630.0) * p + 150.0) * p + 15.0);
    default: { // compact_tps_c2
      const double log_term = p > 0.0 ? p * std::log(p) : 0.0;
      return 1.0 + p * p * (-30.0 + p * (-10.0 + p * (45.0 - 6.0 * p)) - 60.0 * log_term);
    }
  }
}

} // namespace

double RadialFunction::operator()(double r) const {
  switch (kind) {
    case Kind::gaussian:
      return std::exp(-square(parameter * r));
    case Kind::multiquadrics:
      return std::sqrt(square(parameter) + square(r));
    case Kind::inverse_multiquadrics:
      return 1.0 / std::sqrt(square(parameter) + square(r));
    case Kind::thin_plate_splines:
      return r > 0.0 ? square(r) * std::log(r) : 0.0;
    case Kind::volume_splines:
      return r;
    default:
      return r < parameter ? compact(kind, r / parameter) : 0.0;
  }
}

bool RadialFunction::positive_definite() const {
  return kind != Kind::multiquadrics && kind != Kind::thin_plate_splines &&
         kind != Kind::volume_splines;
}

double RadialFunction::gaussian_shape(double support_radius) {
  return std::sqrt(-std::log(1e-9)) / support_radius;
}

} // namespace isthmus::mapping
