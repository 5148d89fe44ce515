// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/centers.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Box;
using geometry::Point;

/// What is known of a point while centers are chosen; in one piece, as it is read together.
struct Known {
  double spacing;
  LocalIndex turn;
  LocalIndex center = -1; // the nearest one; of equally near ones the first
  double distance = Box::infinity;

  void offer(LocalIndex other, double other_distance) {
    if (std::pair(other_distance, other) < std::pair(distance, center)) {
      distance = other_distance;
      center = other;
    }
  }
};

/// In an order of chance that places decide.
std::vector<LocalIndex> by_chance(std::span<const Point> points) {
  struct Drawn {
    std::uint64_t chance;
    LocalIndex id;

    auto operator<=>(const Drawn&) const = default;
  };
  std::vector<std::uint64_t> chances;
  chances.reserve(points.size());
  for (const Point& point : points) {
    std::uint64_t chance = 0;
    for (const double x : point) {
      chance = mixed(chance ^ std::bit_cast<std::uint64_t>(x + 0.0)); // -0 is 0
    }
    chances.push_back(chance);
  }
  // into boxes of about one each, which are sorted then
  const int unused = 64 - std::max(1, static_cast<int>(std::bit_width(points.size())));
  std::vector<std::size_t> ends((~std::uint64_t{0} >> unused) + 2, 0);
  for (const std::uint64_t chance : chances) {
    ++ends[(chance >> unused) + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Drawn> all(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    all[ends[chances[i] >> unused]++] = {chances[i], static_cast<LocalIndex>(i)};
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends) { // the last one is that of the box before it
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin),
              all.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  std::vector<LocalIndex> order;
  order.reserve(all.size());
  for (const Drawn& drawn : all) {
    order.push_back(drawn.id);
  }
  return order;
}

/// Distances to the count-th nearest points, of groups of points that are near each other: one
/// search for all of a group. Groups that follow each other have nearly the same distances.
class Spacings {
 public:
  Spacings(std::span<const Point> points, const geometry::PointIndex& index, std::size_t count)
      : points_(points), index_(index), count_(count) {}

  void find(std::span<const LocalIndex> group, std::vector<double>& result) {
    Box box;
    for (const LocalIndex id : group) {
      box.expand(points_[static_cast<std::size_t>(id)]);
    }
    const double half = 0.5 * box.diagonal();
    const double reach = widest * usual_;
    gather(box.center(), half <= 3 * usual_ ? (half + reach) * (1 + 1e-12) : 0.0);
    double sum = 0;
    for (const LocalIndex id : group) {
      const Point& point = points_[static_cast<std::size_t>(id)];
      const double distance = among_near(point);
      double& found = result[static_cast<std::size_t>(id)];
      found = distance <= reach ? distance : alone(point);
      sum += found;
    }
    usual_ = sum / static_cast<double>(group.size());
  }

 private:
  static constexpr double widest = 1.2; // usual distances that are looked for together

  void gather(const Point& middle, double radius) {
    index_.within(middle, radius, found_);
    for (std::size_t k = 0; k < 3; ++k) {
      near_[k].resize(found_.size());
      for (std::size_t i = 0; i < found_.size(); ++i) {
        near_[k][i] = found_[i].x[k];
      }
    }
    distances2_.resize(found_.size());
    between_.resize(found_.size());
  }

  /// Infinite if there are too few in reach.
  double among_near(const Point& point) {
    const double* const x[] = {near_[0].data(), near_[1].data(), near_[2].data()};
    for (std::size_t i = 0; i < distances2_.size(); ++i) {
      distances2_[i] = mapping::distance2(point, {x[0][i], x[1][i], x[2][i]});
    }
    const double found2 = smallest_from(0.7 * usual_ * usual_); // hardly ever is it nearer
    return std::sqrt(found2 >= 0 ? found2 : smallest_from(-1));
  }

  /// The count-th smallest of the squared distances; -1 if it is not beyond `low2`, infinite if it
  /// is out of reach. Most branches here would be guesses, so there are few.
  double smallest_from(double low2) {
    const double limit2 = widest * widest * usual_ * usual_ * (1 + 1e-12);
    std::size_t below = 0;
    std::size_t between = 0;
    for (const double distance2 : distances2_) {
      between_[between] = distance2;
      const auto is_below = static_cast<std::size_t>(distance2 <= low2);
      below += is_below;
      between += static_cast<std::size_t>(distance2 <= limit2) - is_below;
    }
    if (below >= count_ || below + between < count_) {
      return below >= count_ ? -1 : Box::infinity;
    }
    return smallest(count_ - below, std::span(between_).first(between));
  }

  /// The number of this rank, from 1 on.
  static double smallest(std::size_t rank, std::span<double> numbers) {
    constexpr std::size_t few = 24;
    if (numbers.size() > few) {
      const auto last = numbers.begin() + static_cast<std::ptrdiff_t>(rank - 1);
      std::nth_element(numbers.begin(), last, numbers.end());
      return *last;
    }
    double found = Box::infinity;
    for (const double one : numbers) {
      std::size_t count = 0;
      for (const double other : numbers) {
        count += other <= one ? 1 : 0;
      }
      found = std::min(found, count < rank ? Box::infinity : one);
    }
    return found;
  }

  double alone(const Point& point) {
    index_.nearest(point, count_, around_);
    return mapping::distance(point, points_[static_cast<std::size_t>(around_.back())]);
  }

  std::span<const Point> points_;
  const geometry::PointIndex& index_;
  std::size_t count_;
  double usual_ = 0; // of the last group; 0 at the first one
  std::vector<LocalIndex> around_;
  std::vector<geometry::PointIndex::Neighbor> found_;
  std::array<std::vector<double>, 3> near_; // coordinates
  std::vector<double> distances2_;
  std::vector<double> between_; // some of them
};

std::vector<double> spacings(std::span<const Point> points, const geometry::PointIndex& index,
                             std::size_t count) {
  constexpr std::size_t together = 16;
  std::vector<double> result(points.size(), Box::infinity);
  if (points.size() < count) {
    return result;
  }
  const std::vector<LocalIndex> order = index.ids_by_place();
  Spacings found(points, index, count);
  for (std::size_t first = 0; first < order.size(); first += together) {
    found.find(std::span(order).subspan(first, std::min(together, order.size() - first)), result);
  }
  return result;
}

/// What lies around each center.
void measure(std::span<const Point> points, std::span<const Known> known, Centers& centers) {
  struct Around {
    double farthest = 0;
    Point sum{};
    int count = 0;
  };
  std::vector<Around> all(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Around& around = all[static_cast<std::size_t>(known[i].center)];
    around.farthest = std::max(around.farthest, known[i].distance);
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

/// What has to be certain, where points may be missing, for a new center and for those around it,
/// to which it is near.
void note_needed(LocalIndex center, std::span<const geometry::PointIndex::Neighbor> around,
                 std::span<const Known> known, std::span<const double> away,
                 std::vector<double>& all) {
  const auto at = static_cast<std::size_t>(center);
  double& needed = all[at];
  needed = away[at] + centers_apart * known[at].spacing;
  for (const auto& near : around) { // earlier ones are no centers, which must be certain
    const auto i = static_cast<std::size_t>(near.id);
    needed = known[i].turn < known[at].turn ? std::max(needed, all[i]) : needed;
  }
  for (const auto& near : around) {
    const auto i = static_cast<std::size_t>(near.id);
    if (known[i].turn > known[at].turn) {
      all[i] = std::min(all[i], std::max(away[i] + known[i].spacing, needed));
    }
  }
}

} // namespace

Centers choose_centers(std::span<const Point> points, const geometry::PointIndex& index,
                       std::size_t count, std::span<const double> away) {
  Centers result{{}, {}, {}, spacings(points, index, count), {}};
  result.needed.assign(away.size(), Box::infinity);
  const std::vector<LocalIndex> order = by_chance(points);
  std::vector<Known> known(points.size());
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const auto at = static_cast<std::size_t>(order[turn]);
    known[at].turn = static_cast<LocalIndex>(turn);
    known[at].spacing = result.spacing[at];
  }
  std::vector<geometry::PointIndex::Neighbor> around;
  for (const LocalIndex center : order) {
    const auto at = static_cast<std::size_t>(center);
    if (known[at].center >= 0) {
      continue;
    }
    result.chosen.push_back(center);
    const double spacing = known[at].spacing;
    index.within(points[at], centers_apart * spacing, around);
    std::erase_if(around, [&](const geometry::PointIndex::Neighbor& near) {
      const double least = std::min(known[static_cast<std::size_t>(near.id)].spacing, spacing);
      return near.id != center && !(std::sqrt(near.distance2) < centers_apart * least);
    });
    if (!away.empty()) {
      note_needed(center, around, known, away, result.needed);
    }
    for (const auto& near : around) { // itself, too
      known[static_cast<std::size_t>(near.id)].offer(center, std::sqrt(near.distance2));
    }
  }
  std::sort(result.chosen.begin(), result.chosen.end());
  measure(points, known, result);
  return result;
}

} // namespace isthmus::radial
