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
  struct Drawn {
    std::uint64_t chance;
    LocalIndex id;

    auto operator<=>(const Drawn&) const = default;
  };
  std::vector<Drawn> all;
  all.reserve(points.size());
  for (const Point& point : points) {
    std::uint64_t chance = 0;
    for (const double x : point) {
      chance = mixed(chance ^ std::bit_cast<std::uint64_t>(x + 0.0)); // -0 is 0
    }
    all.push_back({chance, static_cast<LocalIndex>(all.size())});
  }
  std::sort(all.begin(), all.end());
  std::vector<LocalIndex> turns(points.size());
  for (const Drawn& drawn : all) {
    turns[static_cast<std::size_t>(drawn.id)] = static_cast<LocalIndex>(order.size());
    order.push_back(drawn.id);
  }
  return turns;
}

/// Distances to the count-th nearest points, of points that follow each other on a curve: one
/// search for all of a group, as neighbours have nearly the same.
class Spacings {
 public:
  Spacings(std::span<const Point> points, const geometry::PointIndex& index, std::size_t count)
      : points_(points), index_(index), count_(count) {}

  void find(std::span<const LocalIndex> group, std::vector<double>& result) {
    const Point& first = points_[static_cast<std::size_t>(group.front())];
    double wide = 0;
    for (const LocalIndex id : group) {
      wide = std::max(wide, mapping::distance(first, points_[static_cast<std::size_t>(id)]));
    }
    const double reach = 1.2 * last_;
    if (last_ > 0 && wide <= 3 * last_) {
      index_.within(first, (wide + reach) * (1 + 1e-12), around_);
      gather();
    } else {
      near_.clear();
    }
    for (const LocalIndex id : group) {
      const Point& point = points_[static_cast<std::size_t>(id)];
      const double distance = near_.size() < count_ ? Box::infinity : among_near(point, reach);
      last_ = distance <= reach ? distance : alone(point);
      result[static_cast<std::size_t>(id)] = last_;
    }
  }

 private:
  void gather() {
    near_.clear();
    for (const LocalIndex id : around_) {
      near_.push_back(points_[static_cast<std::size_t>(id)]);
    }
  }

  /// Infinite if there are too few within reach.
  double among_near(const Point& point, double reach) {
    const double limit2 = reach * reach * (1 + 1e-12);
    distances2_.resize(near_.size());
    std::size_t within = 0;
    for (const Point& other : near_) {
      const double distance2 = mapping::distance2(point, other);
      distances2_[within] = distance2;
      within += distance2 <= limit2 ? 1 : 0;
    }
    if (within < count_) {
      return Box::infinity;
    }
    const auto last = distances2_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(distances2_.begin(), last,
                     distances2_.begin() + static_cast<std::ptrdiff_t>(within));
    return std::sqrt(*last);
  }

  double alone(const Point& point) {
    index_.nearest(point, count_, around_);
    return mapping::distance(point, points_[static_cast<std::size_t>(around_.back())]);
  }

  std::span<const Point> points_;
  const geometry::PointIndex& index_;
  std::size_t count_;
  double last_ = 0; // of the last one
  std::vector<LocalIndex> around_;
  std::vector<Point> near_;
  std::vector<double> distances2_;
};

std::vector<double> spacings(std::span<const Point> points, const geometry::PointIndex& index,
                             std::size_t count) {
  constexpr std::size_t together = 8;
  std::vector<double> result(points.size(), Box::infinity);
  if (points.size() < count) {
    return result;
  }
  const std::vector<LocalIndex> order = geometry::curve_order(3, mapping::flat(points));
  Spacings found(points, index, count);
  for (std::size_t first = 0; first < order.size(); first += together) {
    found.find(std::span(order).subspan(first, std::min(together, order.size() - first)), result);
  }
  return result;
}

/// What lies around each center, of points with their nearest ones.
void measure(std::span<const Point> points, std::span<const Nearest> nearest, Centers& centers) {
  struct Around {
    double farthest = 0;
    Point sum{};
    int count = 0;
  };
  std::vector<Around> all(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Around& around = all[static_cast<std::size_t>(nearest[i].center)];
    around.farthest = std::max(around.farthest, nearest[i].distance);
    for (std::size_t k = 0; k < 3; ++k) {
      around.sum[k] += points[i][k];
    }
    ++around.count;
  }
  for (const LocalIndex center : centers.chosen) {
    const Around& around = all[static_cast<std::size_t>(center)];
    centers.farthest.push_back(around.farthest);
    Point& middle = centers.middles.emplace_back(around.sum);
    for (double& x : middle) {
      x /= around.count;
    }
  }
}

} // namespace

Centers choose_centers(std::span<const Point> points, const geometry::PointIndex& index,
                       std::size_t count, std::span<const double> away) {
  Centers result{{}, {}, {}, spacings(points, index, count), {}};
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
  std::sort(result.chosen.begin(), result.chosen.end());
  measure(points, nearest, result);
  return result;
}

} // namespace isthmus::radial
