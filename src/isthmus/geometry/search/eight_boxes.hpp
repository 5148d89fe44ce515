// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/search/lanes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace isthmus::geometry {

/// One point in all lanes.
struct LanesPoint {
  Lanes axis[3];
  explicit LanesPoint(const std::array<float, 3>& x)
      : axis{lanes(x[0]), lanes(x[1]), lanes(x[2])} {}
};

/// Eight boxes in single precision, laid out to be compared at once. Bit k of a mask is box k.
struct alignas(64) EightBoxes {
  static constexpr std::size_t width = 8;

  float lo[3][width];
  float hi[3][width];

  /// Makes all boxes such that nothing finite is near them.
  void clear() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      std::fill_n(lo[axis], width, infinity);
      std::fill_n(hi[axis], width, -infinity);
    }
  }
  void copy(std::size_t to, const EightBoxes& other, std::size_t from) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis][to] = other.lo[axis][from];
      hi[axis][to] = other.hi[axis][from];
    }
  }
  /// Makes box k the one around all of `other`.
  void enclose(std::size_t k, const EightBoxes& other) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis][k] = *std::min_element(other.lo[axis], other.lo[axis] + width);
      hi[axis][k] = *std::max_element(other.hi[axis], other.hi[axis] + width);
    }
  }
  [[nodiscard]] float longest_edge(std::size_t k) const {
    return std::max({hi[0][k] - lo[0][k], hi[1][k] - lo[1][k], hi[2][k] - lo[2][k]});
  }
  /// Squared distances of a point (to an array aligned to 16 bytes); returns the mask of those
  /// within the bound.
  unsigned distances2(const LanesPoint& x, float bound, float* distance2) const {
    unsigned mask = 0;
    for (std::size_t half = 0; half < width; half += 4) {
      Lanes sum{};
      for (int k = 0; k < 3; ++k) {
        const Lanes inside = min(max(x.axis[k], load(lo[k] + half)), load(hi[k] + half));
        sum += (x.axis[k] - inside) * (x.axis[k] - inside);
      }
      store(distance2 + half, sum);
      mask |= less_equal(sum, lanes(bound)) << half;
    }
    return mask;
  }
  /// Mask of the boxes that meet the cube of half edge `reach` (finite) around a point.
  [[nodiscard]] unsigned meet(const std::array<float, 3>& center, float reach) const {
    unsigned mask = 0;
    for (std::size_t half = 0; half < width; half += 4) {
      unsigned part = ~0U;
      for (int k = 0; k < 3; ++k) {
        part &= less_equal(load(lo[k] + half), lanes(center[k] + reach));
        part &= less_equal(lanes(center[k] - reach), load(hi[k] + half));
      }
      mask |= part << half;
    }
    return mask;
  }
};

} // namespace isthmus::geometry
