// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <span>

namespace isthmus {

/// A number of about 32 digits: the unevaluated sum of two doubles. Sums of products in it are
/// exact for practical purposes, so they hardly depend on the order of the terms or on who added
/// them. Dekker (1971), doi:10.1007/BF01397083; Ogita, Rump, Oishi (2005), doi:10.1137/030601818.
/// Needs a compiler that keeps the order of operations (no -ffast-math).
struct Twofold {
  double value = 0; // rounded to double
  double rest = 0;  // what that lacks
};

namespace impl {

/// value + rest, where |value| >= |rest| before.
[[nodiscard]] inline Twofold quick_sum(double value, double rest) {
  const double sum = value + rest;
  return {sum, rest - (sum - value)};
}

} // namespace impl

/// a + b without error.
[[nodiscard]] inline Twofold exact_sum(double a, double b) {
  const double sum = a + b;
  const double shift = sum - a;
  return {sum, (a - (sum - shift)) + (b - shift)};
}

/// a · b without error unless it overflows or is tiny.
[[nodiscard]] inline Twofold exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// The same bits for b + a.
[[nodiscard]] inline Twofold operator+(Twofold a, Twofold b) {
  const Twofold high = exact_sum(a.value, b.value);
  const Twofold low = exact_sum(a.rest, b.rest);
  const Twofold sum = impl::quick_sum(high.value, high.rest + low.value);
  return impl::quick_sum(sum.value, sum.rest + low.rest);
}

[[nodiscard]] inline Twofold operator-(Twofold a) {
  return {-a.value, -a.rest};
}

[[nodiscard]] inline Twofold operator-(Twofold a, Twofold b) {
  return a + -b;
}

[[nodiscard]] inline Twofold operator*(Twofold a, Twofold b) {
  const Twofold product = exact_product(a.value, b.value);
  return impl::quick_sum(product.value, product.rest + (a.value * b.rest + a.rest * b.value));
}

[[nodiscard]] inline Twofold operator/(Twofold a, Twofold b) {
  const double first = a.value / b.value;
  const Twofold left = a - Twofold{first} * b;
  return impl::quick_sum(first, left.value / b.value);
}

/// Of a number that is not negative.
[[nodiscard]] inline Twofold sqrt(Twofold a) {
  const double root = std::sqrt(a.value);
  if (root == 0) {
    return {};
  }
  const Twofold left = a - exact_product(root, root);
  return impl::quick_sum(root, left.value / (2 * root));
}

inline Twofold& operator+=(Twofold& a, Twofold b) {
  return a = a + b;
}

inline Twofold& operator-=(Twofold& a, Twofold b) {
  return a = a - b;
}

} // namespace isthmus
