// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/moving_nearest.hpp"

#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/numbered_vertices.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

constexpr double slack = 1 + 1e-9;  // against rounding
constexpr std::size_t too_many = 8; // one in so many moved: everything is searched again

} // namespace

void MovingNearest::Marked::add(LocalIndex id) {
  if (std::exchange(is_marked_[static_cast<std::size_t>(id)], 1) == 0) {
    list_.push_back(id);
  }
}

void MovingNearest::Marked::clear() {
  for (const LocalIndex id : list_) {
    is_marked_[static_cast<std::size_t>(id)] = 0;
  }
  list_.clear();
}

void MovingNearest::Marked::sort() {
  std::sort(list_.begin(), list_.end());
}

MovingNearest::MovingNearest(int dimensions, std::span<const double> vertices,
                             std::span<const double> points, geometry::Ties ties)
    : dimensions_(dimensions) {
  if (ties == geometry::Ties::by_number) {
    is_tied_ = false;
  }
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
  std::vector<std::size_t> tied;
  index_->nearest(points, result_.columns, result_.distances2, is_tied_ ? &tied : nullptr);
  NumberedVertices(dimensions_, vertices).find(points, tied, result_.columns);
  if (is_tied_) {
    is_tied_ = !tied.empty();
  }
  blocks_ = PointBlocks(dimensions_, points, result_.distances2);
  doubtful_ = Marked(count);
}

void MovingNearest::update(std::span<const double> vertices,
                           std::span<const LocalIndex> moved_vertices,
                           std::span<const double> points,
                           std::span<const LocalIndex> moved_points) {
  for (const LocalIndex vertex : moved_vertices) {
    moved_.add(vertex);
  }
  changes_.clear();
  is_new_ = is_tied_.value_or(false) || moved_.list().size() * too_many > moved_.num_all() ||
            moved_points.size() * too_many > result_.num_points();
  if (is_new_) {
    start(vertices, points);
    return;
  }
  for (const LocalIndex point : moved_points) {
    doubtful_.add(point);
  }
  if (!moved_vertices.empty()) {
    moved_.sort(); // of vertices at one place the smallest number is found
    moved_index_.emplace(dimensions_, mesh::coordinates_of(dimensions_, vertices, moved_.list()));
    mark(vertices, moved_vertices, points);
  }
  search_doubtful(vertices, points);
  if (is_tied_.value_or(false)) {
    is_new_ = true;
    start(vertices, points);
  }
}

void MovingNearest::search_doubtful(Coordinates vertices, Coordinates points) {
  std::vector<LocalIndex> along(doubtful_.list().begin(), doubtful_.list().end());
  std::sort(along.begin(), along.end(), [this](LocalIndex a, LocalIndex b) {
    return blocks_.position_of(a) < blocks_.position_of(b);
  });
  for (std::size_t k = 0; k < along.size(); ++k) {
    const auto point = static_cast<std::size_t>(along[k]);
    const std::size_t block = blocks_.block_of(along[k]);
    const LocalIndex before = result_.columns[point];
    if (!search(along[k], blocks_.blocks()[block].farthest2, vertices, points)) {
      make_index(vertices);
      static_cast<void>(search(along[k], 0, vertices, points));
    }
    if (result_.columns[point] != before) {
      changes_.push_back({along[k], before, result_.columns[point]});
    }
    if (k + 1 == along.size() || blocks_.block_of(along[k + 1]) != block) {
      blocks_.measure(block, points, result_.distances2);
    }
  }
  doubtful_.clear();
}

/// Points whose vertex has moved, and those that one has come close to.
void MovingNearest::mark(Coordinates vertices, std::span<const LocalIndex> moved,
                         Coordinates points) {
  geometry::Box around;
  for (const LocalIndex vertex : moved) {
    moves_.add(vertex);
    around.expand(place(vertices, vertex));
  }
  for (std::size_t i = 0; i < result_.columns.size(); ++i) {
    if (moves_.has(result_.columns[i])) {
      doubtful_.add(static_cast<LocalIndex>(i));
    }
  }
  moves_.clear();
  const geometry::PointIndex arrived(dimensions_,
                                     mesh::coordinates_of(dimensions_, vertices, moved));
  for (std::size_t b = 0; b < blocks_.blocks().size(); ++b) {
    const PointBlocks::Block& block = blocks_.blocks()[b];
    const double reach = (block.radius + std::sqrt(block.farthest2)) * slack;
    if (around.distance2(block.centre) > reach * reach) {
      continue;
    }
    arrived.within(block.centre, reach, found_);
    if (found_.empty()) {
      continue;
    }
    for (const LocalIndex point : blocks_.points_of(b)) {
      const double limit = result_.distances2[static_cast<std::size_t>(point)] * slack;
      const Point x = place(points, point);
      if (std::any_of(found_.begin(), found_.end(), [&](LocalIndex c) {
            return distance2(place(vertices, moved[static_cast<std::size_t>(c)]), x) <= limit;
          })) {
        doubtful_.add(point);
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
    offer(moved_.list()[static_cast<std::size_t>(found_.front())]);
  }
  const auto stays = [this](LocalIndex v) { return !moved_.has(v); };
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
  if (is_tied_) {
    is_tied_ = *is_tied_ || has_rival(from, result_.columns[at], result_.distances2[at], vertices);
  }
  return true;
}

/// Whether another vertex than the nearest one is as near.
bool MovingNearest::has_rival(const Point& from, LocalIndex nearest, double nearest2,
                              Coordinates vertices) {
  const double reach = std::sqrt(nearest2) * slack;
  const auto is_rival = [&](LocalIndex vertex) {
    return vertex != nearest && distance2(place(vertices, vertex), from) == nearest2;
  };
  index_->within(from, reach, found_);
  if (std::any_of(found_.begin(), found_.end(), is_rival)) { // those that have moved are below
    return true;
  }
  if (!moved_index_) {
    return false;
  }
  moved_index_->within(from, reach, found_);
  return std::any_of(found_.begin(), found_.end(), [&](LocalIndex c) {
    return is_rival(moved_.list()[static_cast<std::size_t>(c)]);
  });
}

/// Makes an index of the vertices as they are now.
void MovingNearest::make_index(Coordinates vertices) {
  index_.emplace(dimensions_, vertices);
  moved_ = Marked(vertices.size() / static_cast<std::size_t>(dimensions_));
  moves_ = Marked(moved_.num_all());
  moved_index_.reset();
}

} // namespace isthmus::mapping
