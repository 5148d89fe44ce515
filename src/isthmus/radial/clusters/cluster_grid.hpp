// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace isthmus::radial {

/// A box with places in it at which balls of one radius overlap.
struct ClusterGrid {
  geometry::Box box;
  double radius = 0;
  std::array<int, 3> intervals{};

  using Place = std::array<int, 3>;

  /// None where there were no fewer places than points, or the radius is 0.
  [[nodiscard]] static std::optional<ClusterGrid> make(int dimensions, const geometry::Box& box,
                                                       double radius, double overlap,
                                                       GlobalIndex num_points);

  [[nodiscard]] std::int64_t num_places() const;
  /// From 0 on, in the order in which clusters follow each other.
  [[nodiscard]] std::int64_t number(const Place& at) const;
  [[nodiscard]] geometry::Point point(const Place& at) const;
  /// Those in a box, or a little more, by number.
  [[nodiscard]] std::vector<Place> places_in(const geometry::Box& part) const;

  /// A ball holds about as many points as wanted: in a corner there is an eighth of what there is
  /// inside.
  [[nodiscard]] static bool is_usual(int wanted, std::size_t size) {
    const auto usual = static_cast<std::size_t>(wanted);
    return size > 0 && size >= usual / 16 && size <= 4 * usual;
  }
  /// A point is in few balls on average: between two (plane) and six (space); in more around a
  /// surface that the grid is not made for.
  [[nodiscard]] static bool are_few(std::size_t members, GlobalIndex num_points) {
    return members <= 8 * static_cast<std::size_t>(num_points);
  }
};

/// Where the density of points in a box is looked at.
[[nodiscard]] std::vector<geometry::Point> sample_points(int dimensions, const geometry::Box& box);
[[nodiscard]] double median_of(std::vector<double> samples);

} // namespace isthmus::radial
