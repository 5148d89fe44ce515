// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/candidates.hpp"

#include "isthmus/geometry/project_sorted.hpp"
#include "isthmus/geometry/search/packing.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace isthmus::geometry {

namespace {

// Weights of a point that falls onto an element are at least this: more than their rounding off 0.
constexpr double least_weight = -1e-10;

} // namespace

Candidates::Candidates(int dim, std::span<const double> coords,
                       std::span<const LocalIndex> elements, int corners, Ties ties)
    : dim_(dim),
      count_(static_cast<std::size_t>(corners)),
      coords_(coords),
      elements_(elements.begin(), elements.end()) {
  if (ties == Ties::by_place) {
    order_by_place();
  } else {
    order_by_number();
  }
}

Box Candidates::box(std::size_t element) const {
  Box result;
  const Corners corners = corners_of(element);
  for (std::size_t k = 0; k < count_; ++k) {
    result.expand(corners[k].x);
  }
  return result;
}

void Candidates::order_by_place() {
  const std::size_t size = elements_.size() / count_;
  const Box extent = bounding_box(dim_, coords_);
  const std::vector<Packed> order =
      packed(extent, size, [&](LocalIndex i) { return box(static_cast<std::size_t>(i)).center(); });
  bvh_ = Bvh(extent, size);
  const auto corner = [&](LocalIndex id) {
    return Corner{id, point_at(dim_, coords_, static_cast<std::size_t>(id))};
  };
  std::vector<LocalIndex> ordered;
  for (std::size_t i = 0; i < size; ++i) {
    const auto from = static_cast<std::size_t>(order[i].id);
    const auto ids = std::span(elements_).subspan(from * count_, count_);
    std::sort(ids.begin(), ids.end(),
              [&](LocalIndex a, LocalIndex b) { return lexicographic(corner(a), corner(b)); });
    ordered.insert(ordered.end(), ids.begin(), ids.end());
    bvh_.set_box(i, box(from));
  }
  bvh_.close();
  elements_ = std::move(ordered);
}

void Candidates::order_by_number() {
  std::vector<std::array<LocalIndex, 3>> all;
  for (std::size_t i = 0; i + count_ <= elements_.size(); i += count_) {
    constexpr LocalIndex none = std::numeric_limits<LocalIndex>::max(); // behind all corners
    std::array<LocalIndex, 3> one{none, none, none};
    std::copy_n(elements_.begin() + static_cast<std::ptrdiff_t>(i), count_, one.begin());
    std::sort(one.begin(), one.end());
    all.push_back(one);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  elements_.clear();
  std::vector<Box> boxes;
  for (const auto& one : all) {
    elements_.insert(elements_.end(), one.begin(),
                     one.begin() + static_cast<std::ptrdiff_t>(count_));
    boxes.push_back(box(boxes.size()));
  }
  boxes_.emplace(std::move(boxes));
}

Candidates::Corners Candidates::corners_of(std::size_t element) const {
  Corners corners{};
  for (std::size_t k = 0; k < count_; ++k) {
    const LocalIndex id = elements_[element * count_ + k];
    corners[k] = {id, point_at(dim_, coords_, static_cast<std::size_t>(id))};
  }
  return corners;
}

Candidates::Candidate Candidates::candidate(std::size_t element, const Point& query) const {
  const Box around = box(element);
  const Point extent = around.hi - around.lo;
  return {around.distance2(query), dot(extent, extent), element};
}

int Candidates::compare(const Candidate& a, const Candidate& b) const {
  if (a.box_distance2 != b.box_distance2) {
    return a.box_distance2 < b.box_distance2 ? -1 : 1;
  }
  if (a.diagonal2 != b.diagonal2) {
    return a.diagonal2 > b.diagonal2 ? -1 : 1;
  }
  const Corners of_a = corners_of(a.element);
  const Corners of_b = corners_of(b.element);
  for (std::size_t k = 0; k < count_; ++k) {
    if (of_a[k].x != of_b[k].x) {
      return of_a[k].x < of_b[k].x ? -1 : 1;
    }
  }
  return 0;
}

Projection Candidates::onto(std::size_t element, const Point& query) const {
  const Corners v = corners_of(element);
  const Point ab = v[1].x - v[0].x;
  const Point from_a = query - v[0].x;
  Projection result;
  if (count_ == 2) {
    const double t = dot(from_a, ab) / dot(ab, ab); // not a number where there is no length
    result.weight = {1.0 - t, t, 0.0};
    result.vertex = {v[0].id, v[1].id, -1};
  } else {
    const Point ac = v[2].x - v[0].x;
    const Point n = cross(ab, ac);
    const double n2 = dot(n, n);
    if (!(n2 > flat2 * dot(ab, ab) * dot(ac, ac))) {
      return {};
    }
    const double of_b = dot(cross(from_a, ac), n) / n2;
    const double of_c = dot(cross(ab, from_a), n) / n2;
    result.weight = {1.0 - of_b - of_c, of_b, of_c};
    result.vertex = {v[0].id, v[1].id, v[2].id};
  }
  Point r = -1.0 * query;
  for (std::size_t k = 0; k < count_; ++k) {
    if (!(result.weight[k] >= least_weight)) {
      return {};
    }
    result.weight[k] = std::max(result.weight[k], 0.0);
    r = r + result.weight[k] * v[k].x;
  }
  result.distance2 = dot(r, r);
  result.size = static_cast<int>(count_);
  return result;
}

std::vector<std::size_t> Candidates::nearest(const Point& query, double limit2) const {
  if (boxes_) {
    return boxes_->nearest(query, most);
  }
  std::array<Candidate, most> found{};
  std::size_t size = 0;
  Bvh::Cursor cursor;
  const Bvh::Query q = bvh_.query(query);
  float reach = bvh_.reach(q, limit2);
  bvh_.search(cursor, q, reach, [&](std::size_t item) {
    const Candidate one = candidate(item, query);
    std::size_t at = size;
    for (; at > 0; --at) {
      const int order = compare(one, found[at - 1]);
      if (order == 0) {
        return reach;
      }
      if (order > 0) {
        break;
      }
    }
    if (one.box_distance2 <= limit2 && at < most) {
      size = std::min(size + 1, most);
      std::move_backward(found.begin() + static_cast<std::ptrdiff_t>(at),
                         found.begin() + static_cast<std::ptrdiff_t>(size) - 1,
                         found.begin() + static_cast<std::ptrdiff_t>(size));
      found[at] = one;
      if (size == most) {
        reach = std::min(reach, bvh_.reach(q, found[most - 1].box_distance2));
      }
    }
    return reach;
  });
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < size; ++i) {
    elements.push_back(found[i].element);
  }
  return elements;
}

Projection Candidates::project(const Point& query, double limit2) const {
  Projection best;
  for (const std::size_t element : nearest(query, limit2)) {
    const Projection one = onto(element, query);
    if (one.size > 0 && one.distance2 <= limit2 && one.distance2 < best.distance2) {
      best = one;
    }
  }
  return best;
}

std::vector<LocalIndex> all_edges(std::span<const LocalIndex> edges,
                                  std::span<const LocalIndex> triangles) {
  using Edge = std::pair<LocalIndex, LocalIndex>;
  std::vector<Edge> all;
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    all.push_back(std::minmax(edges[i], edges[i + 1]));
  }
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      all.push_back(std::minmax(triangles[i + k], triangles[i + (k + 1) % 3]));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<LocalIndex> result;
  for (const Edge& edge : all) {
    result.insert(result.end(), {edge.first, edge.second});
  }
  return result;
}

} // namespace isthmus::geometry
