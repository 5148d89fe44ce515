// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

#include <cstddef>
#include <cstdint>

namespace isthmus::radial {

/// Radial functions of many squares of distances, in loops that compilers make vectors of: no
/// calls, no branches. A `Tag` of its own keeps code apart that is compiled for other instructions.
template <typename Tag>
class FunctionValues {
  using Kind = BasisKind;

 public:
  static void apply(Kind kind, double parameter, double* values, std::size_t size) {
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

 private:
  static double square(double x) { return x * x; }
  static double root(double x) { return __builtin_sqrt(x); }

  static std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
  static double number_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

  /// Source: K. C. Ng, FDLIBM (1993), __ieee754_log; less than one unit in the last place off.
  static double logarithm(double x) {
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd; // bits of the square root of 1/2
    constexpr std::uint64_t one = 0x3ff0000000000000;
    const std::uint64_t shifted = bits_of(x) + (one - root_half);
    const double exponent = number_of(shifted >> 52 | 0x4330000000000000) - (0x1p52 + 1023.0);
    const double f = number_of((shifted & 0x000fffffffffffff) + root_half) - 1.0;
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

  /// Of x <= 0; 0 where the result is less than the smallest number of all digits. With the nearest
  /// multiple of log 2 taken off, Taylor's series up to the power 13 errs by less than 5e-18.
  static double exponential(double x) {
    constexpr double shift = 0x1.8p52; // to whole numbers, in the last bits
    const double bounded = x > -708.0 ? x : -708.0;
    const double whole = bounded * 1.44269504088896338700e+00 + shift;
    const double power = whole - shift;
    const double r =
        (bounded - power * 6.93147180369123816490e-01) - power * 1.90821492927058770002e-10;
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double low = (1.0 / 6 + r * (1.0 / 24)) + r2 * (1.0 / 120 + r * (1.0 / 720));
    const double middle =
        (1.0 / 5040 + r * (1.0 / 40320)) + r2 * (1.0 / 362880 + r * (1.0 / 3628800));
    const double high = (1.0 / 39916800 + r * (1.0 / 479001600)) + r2 * (1.0 / 6227020800);
    const double series = 1.0 + (r + r2 * (0.5 + r * (low + r4 * (middle + r4 * high))));
    const double scale = number_of((bits_of(whole) + 1023) << 52);
    return x > -708.0 ? series * scale : 0.0;
  }

  /// Wendland's functions and the compact thin plate spline of p = r / radius in [0, 1] and q = 1 -
  /// p.
  template <Kind kind>
  static double compact(double p, double q) {
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
  static double value(double r2, double parameter) {
    if constexpr (kind == Kind::gaussian) {
      return exponential(-square(parameter) * r2);
    } else if constexpr (kind == Kind::multiquadrics) {
      return root(square(parameter) + r2);
    } else if constexpr (kind == Kind::inverse_multiquadrics) {
      return 1.0 / root(square(parameter) + r2);
    } else if constexpr (kind == Kind::thin_plate_splines) {
      return r2 > 0.0 ? 0.5 * r2 * logarithm(r2) : 0.0;
    } else if constexpr (kind == Kind::volume_splines) {
      return root(r2);
    } else {
      const double p = root(r2) * (1.0 / parameter);
      return r2 < square(parameter) ? compact<kind>(p, 1.0 - p) : 0.0;
    }
  }

  template <Kind kind>
  static void replace(double* values, std::size_t size, double parameter) {
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = value<kind>(values[i], parameter);
    }
  }
};

} // namespace isthmus::radial
