// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <cstddef>
#include <span>
#include <type_traits>

namespace isthmus::exchange {

/// Calls work(width), with a constant where few values belong to an entry: loops over them vanish.
template <typename Work>
decltype(auto) with_width(std::size_t width, Work&& work) {
  switch (width) {
    case 1:
      return work(std::integral_constant<std::size_t, 1>{});
    case 2:
      return work(std::integral_constant<std::size_t, 2>{});
    case 3:
      return work(std::integral_constant<std::size_t, 3>{});
    case 4:
      return work(std::integral_constant<std::size_t, 4>{});
    default:
      return work(width);
  }
}

/// Copies the `width` values of each entry to `to`; returns the end.
inline double* gather(const double* values, std::span<const LocalIndex> entries, std::size_t width,
                      double* to) {
  const std::size_t count = entries.size();
  if (width == 1) { // a fifth faster than by the constant
    const LocalIndex* const entry = entries.data();
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = values[entry[i]];
    }
    return to + count;
  }
  return with_width(width, [values, entries, count, to](auto n) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < n; ++c) {
        to[i * n + c] = values[static_cast<std::size_t>(entries[i]) * n + c];
      }
    }
    return to + count * n;
  });
}

/// Calls put(value, new value) for the `width` values of each entry; returns the end of `from`.
template <typename Put>
const double* scatter(const double* from, std::span<const LocalIndex> entries, std::size_t width,
                      double* values, Put put) {
  return with_width(width, [=](auto n) {
    const double* next = from;
    for (const LocalIndex entry : entries) {
      double* const to = values + static_cast<std::size_t>(entry) * n;
      for (std::size_t c = 0; c < n; ++c) {
        put(to[c], next[c]);
      }
      next += n;
    }
    return next;
  });
}

} // namespace isthmus::exchange
