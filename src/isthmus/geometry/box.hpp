// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace isthmus::geometry {

/// A point; in two dimensions z is 0.
using Point = std::array<double, 3>;

/// Number of points in interleaved coordinates.
[[nodiscard]] inline std::size_t point_count(int dim, std::span<const double> coords) {
  return coords.size() / static_cast<std::size_t>(dim);
}

/// Point `i` of interleaved coordinates.
[[nodiscard]] inline Point point_at(int dim, std::span<const double> coords, std::size_t i) {
  const double* x = coords.data() + i * static_cast<std::size_t>(dim);
  return {x[0], x[1], dim == 3 ? x[2] : 0.0};
}

[[nodiscard]] inline bool finite(const Point& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

/// Axis-aligned box, closed. A default-constructed box is empty and grows by expand().
struct Box {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  Point lo{infinity, infinity, infinity};
  Point hi{-infinity, -infinity, -infinity};

  [[nodiscard]] static Box all_of_space() {
    return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  }

  [[nodiscard]] bool empty() const { return !(lo[0] <= hi[0] && lo[1] <= hi[1] && lo[2] <= hi[2]); }

  /// Grows until it contains `point`. A coordinate that is not a number changes nothing.
  void expand(const Point& point) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = point[k] < lo[k] ? point[k] : lo[k];
      hi[k] = point[k] > hi[k] ? point[k] : hi[k];
    }
  }
  void expand(const Box& box) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], box.lo[k]);
      hi[k] = std::max(hi[k], box.hi[k]);
    }
  }
  /// Moves every face outwards by `margin`; an empty box stays empty.
  void expand(double margin) {
    if (!empty()) {
      for (int k = 0; k < 3; ++k) {
        lo[k] -= margin;
        hi[k] += margin;
      }
    }
  }

  [[nodiscard]] bool contains(const Point& point) const {
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      inside = inside && lo[k] <= point[k] && point[k] <= hi[k];
    }
    return inside;
  }
  [[nodiscard]] bool intersects(const Box& other) const {
    bool meet = true;
    for (int k = 0; k < 3; ++k) {
      meet = meet && std::max(lo[k], other.lo[k]) <= std::min(hi[k], other.hi[k]);
    }
    return meet;
  }
  /// Squared distance of `point` to the box, 0 inside; infinite when the box is empty.
  [[nodiscard]] double distance2(const Point& point) const {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({lo[k] - point[k], point[k] - hi[k], 0.0});
      sum += d * d;
    }
    return sum;
  }
  [[nodiscard]] Point center() const {
    return {0.5 * lo[0] + 0.5 * hi[0], 0.5 * lo[1] + 0.5 * hi[1], 0.5 * lo[2] + 0.5 * hi[2]};
  }
  /// 0 when empty.
  [[nodiscard]] double longest_edge() const {
    return empty() ? 0.0 : std::max({hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]});
  }
  /// 0 when empty.
  [[nodiscard]] double diagonal() const {
    return empty() ? 0.0 : std::hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
  }

  friend bool operator==(const Box&, const Box&) = default;
};

/// The smallest box that contains all points of interleaved coordinates.
[[nodiscard]] Box bounding_box(int dim, std::span<const double> coords);

} // namespace isthmus::geometry
