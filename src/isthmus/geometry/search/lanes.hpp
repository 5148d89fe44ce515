// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace isthmus::geometry {

/// Four floats that the compiler keeps in one register.
using Lanes = float __attribute__((vector_size(16), may_alias));

[[nodiscard]] inline Lanes lanes(float x) {
  return Lanes{x, x, x, x};
}

/// From and to addresses that are multiples of 16.
[[nodiscard]] inline Lanes load(const float* from) {
  return *reinterpret_cast<const Lanes*>(from);
}
inline void store(float* to, Lanes x) {
  *reinterpret_cast<Lanes*>(to) = x;
}

/// From any address.
[[nodiscard]] inline Lanes load_any(const float* from) {
  Lanes x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}

// Where a is not a number the result of min and max is b.
[[nodiscard]] inline Lanes min(Lanes a, Lanes b) {
#if defined(__SSE2__)
  return _mm_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}
[[nodiscard]] inline Lanes max(Lanes a, Lanes b) {
#if defined(__SSE2__)
  return _mm_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

/// Bit k is set where a[k] <= b[k].
[[nodiscard]] inline unsigned less_equal(Lanes a, Lanes b) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmple_ps(a, b)));
#else
  const auto mask = a <= b;
  return (mask[0] & 1U) | (mask[1] & 2U) | (mask[2] & 4U) | (mask[3] & 8U);
#endif
}

} // namespace isthmus::geometry
