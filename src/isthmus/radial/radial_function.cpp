// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_function.hpp"

#include "isthmus/radial/multiversion.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace isthmus::radial {

namespace {

using Kind = RadialFunction::Kind;

inline double square(double x) {
  return x * x;
}

/// The logarithm without a call, so that several are found at once. Source: K. C. Ng, FDLIBM
/// (1993),
/// __ieee754_log; less than one unit in the last place off.
inline double logarithm(double x) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd; // bits of the square root of 1/2
  constexpr std::uint64_t one = 0x3ff0000000000000;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t shifted = bits + (one - root_half);
  const double exponent =
      std::bit_cast<double>(shifted >> 52 | 0x4330000000000000) - (0x1p52 + 1023.0);
  const double f = std::bit_cast<double>((shifted & 0x000fffffffffffff) + root_half) - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double even = w * (3.999999999940941908e-01 +
                           w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const double odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 +
                               w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const double half = 0.5 * f * f;
  return exponent * 6.93147180369123816490e-01 -
         ((half - (s * (half + even + odd) + exponent * 1.90821492927058770002e-10)) - f);
}

/// Wendland's functions and the compact thin plate spline of p = r / radius in [0, 1] and q = 1 -
/// p.
template <Kind kind>
inline double compact(double p, double q) {
  const double q2 = square(q);
  const double q4 = square(q2);
  if constexpr (kind == Kind::compact_polynomial_c0) {
    return q2;
  } else if constexpr (kind == Kind::compact_polynomial_c2) {
    return q4 * (4.0 * p + 1.0);
  } else if constexpr (kind == Kind::compact_polynomial_c4) {
    return q4 * q2 * ((35.0 * p + 18.0) * p + 3.0);
  } else if constexpr (kind == Kind::compact_polynomial_c6) {
    return q4 * q4 * (((32.0 * p + 25.0) * p + 8.0) * p + 1.0);
  } else if constexpr (kind == Kind::compact_polynomial_c8) {
    return q4 * q4 * q2 * ((((1287.0 * p + 1350.0) * p + 630.0) * p + 150.0) * p + 15.0);
  } else { // compact_tps_c2
    const double log_term = p > 0.0 ? p * logarithm(p) : 0.0;
    return 1.0 + p * p * (-30.0 + p * (-10.0 + p * (45.0 - 6.0 * p)) - 60.0 * log_term);
  }
}

/// Of the squared distance.
template <Kind kind>
inline double value(double r2, double parameter) {
  if constexpr (kind == Kind::gaussian) {
    return std::exp(-square(parameter) * r2);
  } else if constexpr (kind == Kind::multiquadrics) {
    return std::sqrt(square(parameter) + r2);
  } else if constexpr (kind == Kind::inverse_multiquadrics) {
    return 1.0 / std::sqrt(square(parameter) + r2);
  } else if constexpr (kind == Kind::thin_plate_splines) {
    return r2 > 0.0 ? 0.5 * r2 * logarithm(r2) : 0.0;
  } else if constexpr (kind == Kind::volume_splines) {
    return std::sqrt(r2);
  } else {
    const double p = std::sqrt(r2) * (1.0 / parameter);
    return r2 < square(parameter) ? compact<kind>(p, 1.0 - p) : 0.0;
  }
}

template <Kind kind>
inline void replace(double* values, std::size_t size, double parameter) {
  for (std::size_t i = 0; i < size; ++i) {
    values[i] = value<kind>(values[i], parameter);
  }
}

ISTHMUS_MULTIVERSION void replace(Kind kind, double* values, std::size_t size, double parameter) {
  switch (kind) {
    case Kind::compact_polynomial_c0:
      return replace<Kind::compact_polynomial_c0>(values, size, parameter);
    case Kind::compact_polynomial_c2:
      return replace<Kind::compact_polynomial_c2>(values, size, parameter);
    case Kind::compact_polynomial_c4:
      return replace<Kind::compact_polynomial_c4>(values, size, parameter);
    case Kind::compact_polynomial_c6:
      return replace<Kind::compact_polynomial_c6>(values, size, parameter);
    case Kind::compact_polynomial_c8:
      return replace<Kind::compact_polynomial_c8>(values, size, parameter);
    case Kind::compact_tps_c2:
      return replace<Kind::compact_tps_c2>(values, size, parameter);
    case Kind::gaussian:
      return replace<Kind::gaussian>(values, size, parameter);
    case Kind::multiquadrics:
      return replace<Kind::multiquadrics>(values, size, parameter);
    case Kind::inverse_multiquadrics:
      return replace<Kind::inverse_multiquadrics>(values, size, parameter);
    case Kind::thin_plate_splines:
      return replace<Kind::thin_plate_splines>(values, size, parameter);
    case Kind::volume_splines:
      return replace<Kind::volume_splines>(values, size, parameter);
  }
}

} // namespace

double RadialFunction::operator()(double r) const {
  double value = square(r);
  replace(kind, &value, 1, parameter);
  return value;
}

void RadialFunction::apply_to_squares(std::span<double> distances2) const {
  replace(kind, distances2.data(), distances2.size(), parameter);
}

double RadialFunction::gaussian_shape(double support_radius) {
  return std::sqrt(-std::log(1e-9)) / support_radius;
}

} // namespace isthmus::radial
