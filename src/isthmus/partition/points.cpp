// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/points.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/morton.hpp"
#include "isthmus/partition/halving.hpp"
#include "isthmus/partition/hilbert.hpp"
#include "isthmus/partition/refuse.hpp"

#include <array>
#include <cmath>

namespace isthmus::partition {

namespace {

using geometry::Box;
using geometry::Point;

void check_points(const Points& points, GlobalIndex first) {
  check(points.dim == 2 || points.dim == 3, "points have {} dimensions; only 2 and 3 are known",
        points.dim);
  const auto dim = static_cast<std::size_t>(points.dim);
  check(points.coords.size() % dim == 0, "{} coordinates are no points of {} dimensions",
        points.coords.size(), dim);
  const std::size_t count = points.coords.size() / dim;
  check(points.weights.empty() || points.weights.size() == count, "{} weights for {} points",
        points.weights.size(), count);
  for (std::size_t i = 0; i < points.coords.size(); ++i) {
    check(std::isfinite(points.coords[i]), "point {} has the coordinate {}",
          first + static_cast<GlobalIndex>(i / dim), points.coords[i]);
  }
  for (std::size_t i = 0; i < points.weights.size(); ++i) {
    check(points.weights[i] >= 0, "point {} has the negative weight {}",
          first + static_cast<GlobalIndex>(i), points.weights[i]);
  }
}

// The own points, checked, and the number of the first.
struct Checked {
  std::size_t count;
  GlobalIndex first;
};

Checked checked(const comm::Comm& comm, const Points& points, int parts, bool empty_parts) {
  const std::size_t count =
      points.coords.size() / static_cast<std::size_t>(points.dim == 2 ? 2 : 3);
  const GlobalIndex first = comm::exscan(comm, static_cast<GlobalIndex>(count));
  comm::agree(comm, [&] { check_points(points, first); });
  refuse_parts(comm, parts, comm::allreduce(comm, static_cast<GlobalIndex>(count), comm::Op::sum),
               "points", empty_parts);
  return {count, first};
}

std::vector<int> in_order(const std::vector<Placed>& placed, const Checked& own) {
  std::vector<int> parts(own.count);
  for (const Placed& p : placed) {
    parts[static_cast<std::size_t>(p.id - own.first)] = p.part;
  }
  return parts;
}

// Calls keys(point) for the own points.
template <typename Keys>
std::vector<KeyedPoint> items_of(const comm::Comm& comm, const Points& points, const Checked& own,
                                 Keys&& keys) {
  std::vector<KeyedPoint> items;
  items.reserve(own.count);
  for (std::size_t i = 0; i < own.count; ++i) {
    items.push_back({keys(geometry::point_at(points.dim, points.coords, i)),
                     points.weights.empty() ? 1 : points.weights[i],
                     own.first + static_cast<GlobalIndex>(i), comm.rank()});
  }
  return items;
}

// Of all ranks.
Box joint_box(const comm::Comm& comm, const Points& points) {
  Box box = geometry::bounding_box(points.dim, points.coords);
  comm::allreduce_bounds(comm, box.lo, box.hi);
  return box;
}

// Cells of a cube around the box, as Morton's of geometry.
std::uint64_t hilbert(const Box& box, int dim, const Point& point) {
  const int bits = dim == 3 ? 21 : 31;
  const auto last = static_cast<double>((std::uint32_t{1} << bits) - 1);
  const double edge = box.longest_edge();
  std::array<std::uint32_t, 3> cell{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
    cell[k] =
        edge > 0.0
            ? static_cast<std::uint32_t>(std::min(last, (point[k] - box.lo[k]) / edge * (last + 1)))
            : 0;
  }
  return hilbert_key(dim, bits, cell);
}

} // namespace

std::vector<int> bisect(const comm::Comm& comm, const Points& points, int parts, bool empty_parts) {
  const Checked own = checked(comm, points, parts, empty_parts);
  std::vector<KeyedPoint> items = items_of(comm, points, own, [](const Point& p) {
    return std::array{sortable(p[0]), sortable(p[1]), sortable(p[2])};
  });
  return in_order(halve(comm, std::move(items), parts, HalvingAxis::longest), own);
}

std::vector<int> cut_curve(const comm::Comm& comm, const Points& points, int parts, Curve curve,
                           bool empty_parts) {
  const Checked own = checked(comm, points, parts, empty_parts);
  const Box box = joint_box(comm, points);
  const geometry::MortonGrid grid(points.dim, box);
  std::vector<KeyedPoint> items = items_of(comm, points, own, [&](const Point& p) {
    return std::array<std::uint64_t, 3>{
        curve == Curve::morton ? grid.key(p) : hilbert(box, points.dim, p), 0, 0};
  });
  return in_order(halve(comm, std::move(items), parts, HalvingAxis::first), own);
}

} // namespace isthmus::partition
