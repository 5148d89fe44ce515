// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/centers.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/geometry/morton.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace isthmus::radial {

namespace {

using geometry::Box;
using geometry::Point;

struct Nearest {
  double distance = Box::infinity;
  LocalIndex center = -1;

  auto operator<=>(const Nearest&) const = default;
};

/// Of each point its turn.
std::vector<LocalIndex> turns_of(std::span<const Point> points, std::vector<LocalIndex>& order) {
  std::vector<std::uint64_t> chances;
  chances.reserve(points.size());
  for (const Point& point : points) {
    std::uint64_t chance = 0;
    for (const double x : point) {
      chance = mixed(chance ^ std::bit_cast<std::uint64_t>(x + 0.0)); // -0 is 0
    }
    order.push_back(static_cast<LocalIndex>(order.size()));
    chances.push_back(chance);
  }
  std::sort(order.begin(), order.end(), [&chances](LocalIndex a, LocalIndex b) {
    const std::uint64_t of_a = chances[static_cast<std::size_t>(a)];
    const std::uint64_t of_b = chances[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a < of_b : a < b;
  });
  std::vector<LocalIndex> turns(points.size());
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    turns[static_cast<std::size_t>(order[turn])] = static_cast<LocalIndex>(turn);
  }
  return turns;
}

std::vector<double> spacings(std::span<const Point> points, const geometry::PointIndex& index,
                             std::size_t count) {
  std::vector<double> result(points.size(), Box::infinity);
  if (points.size() < count) {
    return result;
  }
  std::vector<LocalIndex> around;
  std::vector<double> distances2;
  double radius = 0; // around the last one
  for (const LocalIndex id : geometry::curve_order(3, mapping::flat(points))) {
    const Point& point = points[static_cast<std::size_t>(id)];
    if (!(radius > 0)) {
      index.nearest(point, count, around);
      radius = mapping::distance(point, points[static_cast<std::size_t>(around.back())]);
    }
    radius *= 1.1; // as neighbours have nearly the same
    index.within(point, radius, around);
    while (around.size() < count) {
      radius *= 1.5;
      index.within(point, radius, around);
    }
    distances2.clear();
    for (const LocalIndex other : around) {
      distances2.push_back(mapping::distance2(point, points[static_cast<std::size_t>(other)]));
    }
    const auto last = distances2.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(distances2.begin(), last, distances2.end());
    radius = std::sqrt(*last);
    result[static_cast<std::size_t>(id)] = radius;
  }
  return result;
}

} // namespace

Centers choose_centers(std::span<const Point> points, const geometry::PointIndex& index,
                       std::size_t count, std::span<const double> away) {
  Centers result{{}, {}, spacings(points, index, count), {}};
  result.needed.assign(points.size(), Box::infinity);
  std::vector<LocalIndex> order;
  const std::vector<LocalIndex> turns = turns_of(points, order);
  std::vector<Nearest> nearest(points.size());
  std::vector<LocalIndex> around;
  for (const LocalIndex center : order) {
    const auto at = static_cast<std::size_t>(center);
    if (nearest[at].center >= 0) {
      continue;
    }
    nearest[at] = {0, center};
    result.chosen.push_back(center);
    const double reach = centers_apart * result.spacing[at];
    index.within(points[at], reach, around);
    std::erase_if(around, [&](LocalIndex id) {
      const auto i = static_cast<std::size_t>(id);
      return !(mapping::distance(points[i], points[at]) <
               centers_apart * std::min(result.spacing[i], result.spacing[at]));
    });
    double& needed = result.needed[at];
    needed = away[at] + reach;
    for (const LocalIndex id : around) { // earlier ones are no centers, which must be certain
      const auto i = static_cast<std::size_t>(id);
      needed = turns[i] < turns[at] ? std::max(needed, result.needed[i]) : needed;
    }
    for (const LocalIndex id : around) {
      const auto i = static_cast<std::size_t>(id);
      nearest[i] = std::min(nearest[i], {mapping::distance(points[i], points[at]), center});
      if (turns[i] > turns[at]) {
        result.needed[i] =
            std::min(result.needed[i], std::max(away[i] + result.spacing[i], needed));
      }
    }
  }
  std::vector<double> farthest(points.size(), 0.0);
  for (const auto& [distance, center] : nearest) {
    double& of_center = farthest[static_cast<std::size_t>(center)];
    of_center = std::max(of_center, distance);
  }
  std::sort(result.chosen.begin(), result.chosen.end());
  for (const LocalIndex center : result.chosen) {
    result.farthest.push_back(farthest[static_cast<std::size_t>(center)]);
  }
  return result;
}

} // namespace isthmus::radial
