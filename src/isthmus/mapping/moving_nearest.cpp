// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/moving_nearest.hpp"

#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

constexpr std::size_t block_size = 64;
constexpr double slack = 1 + 1e-9;  // against rounding
constexpr std::size_t too_many = 8; // one in so many moved: everything is searched again

double distance2(const Point& a, const Point& b) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

std::vector<double> coordinates_of(int dimensions, std::span<const double> coordinates,
                                   std::span<const LocalIndex> ids) {
  const auto dim = static_cast<std::size_t>(dimensions);
  std::vector<double> places(ids.size() * dim);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::copy_n(coordinates.begin() + ids[i] * dimensions, dim,
                places.begin() + static_cast<std::ptrdiff_t>(i * dim));
  }
  return places;
}

} // namespace

MovingNearest::MovingNearest(int dimensions, std::span<const double> vertices,
                             std::span<const double> points)
    : dimensions_(dimensions) {
  start(vertices, points);
}

/// Searches everything.
void MovingNearest::start(Coordinates vertices, Coordinates points) {
  make_index(vertices);
  const std::size_t count = points.size() / static_cast<std::size_t>(dimensions_);
  result_.counts.assign(count, 1);
  result_.weights.assign(count, 1.0);
  result_.columns.resize(count);
  result_.distances2.resize(count);
  index_->nearest(points, result_.columns, result_.distances2);
  order_ = geometry::curve_order(dimensions_, points);
  rank_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    rank_[static_cast<std::size_t>(order_[k])] = static_cast<LocalIndex>(k);
  }
  is_doubtful_.assign(count, 0);
  blocks_.assign((count + block_size - 1) / block_size, {});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    measure(b, points);
  }
}

void MovingNearest::measure(std::size_t block, Coordinates points) {
  const std::size_t first = block * block_size;
  const std::size_t last = std::min(first + block_size, order_.size());
  geometry::Box box;
  Block& measured = blocks_[block];
  measured.farthest2 = 0;
  for (std::size_t k = first; k < last; ++k) {
    box.expand(place(points, order_[k]));
    measured.farthest2 =
        std::max(measured.farthest2, result_.distances2[static_cast<std::size_t>(order_[k])]);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    measured.centre[d] = 0.5 * (box.lo[d] + box.hi[d]);
  }
  measured.radius = 0.5 * box.diagonal();
}

void MovingNearest::update(std::span<const double> vertices,
                           std::span<const LocalIndex> moved_vertices,
                           std::span<const double> points,
                           std::span<const LocalIndex> moved_points) {
  for (const LocalIndex vertex : moved_vertices) {
    if (has_moved_[static_cast<std::size_t>(vertex)] == 0) {
      has_moved_[static_cast<std::size_t>(vertex)] = 1;
      moved_.push_back(vertex);
    }
  }
  changes_.clear();
  is_new_ = moved_.size() * too_many > has_moved_.size() ||
            moved_points.size() * too_many > result_.num_points();
  if (is_new_) {
    start(vertices, points);
    return;
  }
  for (const LocalIndex point : moved_points) {
    doubt(point);
  }
  if (!moved_vertices.empty()) {
    moved_index_.emplace(dimensions_, coordinates_of(dimensions_, vertices, moved_));
    mark(vertices, moved_vertices, points);
  }
  search_doubtful(vertices, points);
}

void MovingNearest::doubt(LocalIndex point) {
  if (std::exchange(is_doubtful_[static_cast<std::size_t>(point)], 1) == 0) {
    doubtful_.push_back(point);
  }
}

void MovingNearest::search_doubtful(Coordinates vertices, Coordinates points) {
  const auto by_rank = [this](LocalIndex a, LocalIndex b) {
    return rank_[static_cast<std::size_t>(a)] < rank_[static_cast<std::size_t>(b)];
  };
  std::sort(doubtful_.begin(), doubtful_.end(), by_rank); // block by block
  for (std::size_t k = 0; k < doubtful_.size(); ++k) {
    const auto point = static_cast<std::size_t>(doubtful_[k]);
    const auto block = static_cast<std::size_t>(rank_[point]) / block_size;
    const LocalIndex before = result_.columns[point];
    if (!search(doubtful_[k], blocks_[block].farthest2, vertices, points)) {
      make_index(vertices);
      static_cast<void>(search(doubtful_[k], 0, vertices, points));
    }
    if (result_.columns[point] != before) {
      changes_.push_back({doubtful_[k], before, result_.columns[point]});
    }
    is_doubtful_[point] = 0;
    const bool is_last =
        k + 1 == doubtful_.size() ||
        static_cast<std::size_t>(rank_[static_cast<std::size_t>(doubtful_[k + 1])]) / block_size !=
            block;
    if (is_last) {
      measure(block, points);
    }
  }
  doubtful_.clear();
}

/// Points whose vertex has moved, and those that one has come close to.
void MovingNearest::mark(Coordinates vertices, std::span<const LocalIndex> moved,
                         Coordinates points) {
  geometry::Box around;
  for (const LocalIndex vertex : moved) {
    moves_[static_cast<std::size_t>(vertex)] = 1;
    around.expand(place(vertices, vertex));
  }
  for (std::size_t i = 0; i < result_.columns.size(); ++i) {
    if (moves_[static_cast<std::size_t>(result_.columns[i])] != 0) {
      doubt(static_cast<LocalIndex>(i));
    }
  }
  for (const LocalIndex vertex : moved) {
    moves_[static_cast<std::size_t>(vertex)] = 0;
  }
  const geometry::PointIndex arrived(dimensions_, coordinates_of(dimensions_, vertices, moved));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const double reach = (block.radius + std::sqrt(block.farthest2)) * slack;
    if (around.distance2(block.centre) > reach * reach) {
      continue;
    }
    arrived.within(block.centre, reach, found_);
    const std::size_t last = std::min((b + 1) * block_size, order_.size());
    for (std::size_t k = b * block_size; k < last && !found_.empty(); ++k) {
      const double limit = result_.distances2[static_cast<std::size_t>(order_[k])] * slack;
      const Point x = place(points, order_[k]);
      if (std::any_of(found_.begin(), found_.end(), [&](LocalIndex c) {
            return distance2(place(vertices, moved[static_cast<std::size_t>(c)]), x) <= limit;
          })) {
        doubt(order_[k]);
      }
    }
  }
}

/// Among the vertices that have moved, and those that are where the index has them; what was found
/// last is still there and says how far to look. False where it is far away, all around have moved
/// and none is close: then nothing is found out.
bool MovingNearest::search(LocalIndex i, double close2, Coordinates vertices, Coordinates points) {
  constexpr double several = 16; // times as far as answers are around there
  const auto at = static_cast<std::size_t>(i);
  const Point from = place(points, i);
  std::tuple best(std::numeric_limits<double>::infinity(), Point{}, LocalIndex{-1});
  const auto offer = [&](LocalIndex vertex) {
    const Point x = place(vertices, vertex);
    best = std::min(best, {distance2(x, from), x, vertex});
  };
  offer(result_.columns[at]);
  if (moved_index_) {
    moved_index_->nearest(from, 1, found_);
    offer(moved_[static_cast<std::size_t>(found_.front())]);
  }
  const auto stays = [this](LocalIndex v) { return has_moved_[static_cast<std::size_t>(v)] == 0; };
  bool is_found = false;
  if (std::get<0>(best) > several * close2) {
    for (std::size_t count = 1; count <= 16 && !is_found; count *= 4) {
      index_->nearest(from, count, found_);
      const auto first = std::find_if(found_.begin(), found_.end(), stays);
      is_found = first != found_.end() || found_.size() < count;
      if (first != found_.end()) {
        offer(*first);
      }
    }
    if (!is_found && std::get<0>(best) > several * close2) {
      return false;
    }
  }
  if (!is_found) {
    index_->within(from, std::sqrt(std::get<0>(best)) * slack, found_);
    for (const LocalIndex vertex : found_) {
      if (stays(vertex)) {
        offer(vertex);
      }
    }
  }
  result_.distances2[at] = std::get<0>(best);
  result_.columns[at] = std::get<2>(best);
  return true;
}

/// Makes an index of the vertices as they are now.
void MovingNearest::make_index(Coordinates vertices) {
  index_.emplace(dimensions_, vertices);
  has_moved_.assign(vertices.size() / static_cast<std::size_t>(dimensions_), 0);
  moves_.assign(has_moved_.size(), 0);
  moved_.clear();
  moved_index_.reset();
}

} // namespace isthmus::mapping
