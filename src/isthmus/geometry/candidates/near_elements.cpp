// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/near_elements.hpp"

#include "isthmus/geometry/project_sorted.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::geometry {

namespace {

// Weights of a point that falls onto an element are at least this: more than their rounding off 0.
constexpr double least_weight = -1e-10;

// More elements with boxes as near as the last candidate's are not kept.
constexpr std::size_t most_kept = 32;

struct Fall {
  std::array<double, 3> weight;
  double distance2;
};

template <std::size_t corners>
inline Fall fall(const std::array<Point, corners>& v, const Point& query) {
  Fall result{{}, Box::infinity};
  const Point ab = v[1] - v[0];
  const Point from_a = query - v[0];
  if constexpr (corners == 2) {
    const double t = dot(from_a, ab) / dot(ab, ab); // not a number where there is no length
    result.weight = {1.0 - t, t, 0.0};
  } else {
    const Point ac = v[2] - v[0];
    const Point n = cross(ab, ac);
    const double n2 = dot(n, n);
    if (!(n2 > flat2 * dot(ab, ab) * dot(ac, ac))) {
      return result;
    }
    const double of_b = dot(cross(from_a, ac), n) / n2;
    const double of_c = dot(cross(ab, from_a), n) / n2;
    result.weight = {1.0 - of_b - of_c, of_b, of_c};
  }
  Point r = -1.0 * query;
  for (std::size_t k = 0; k < corners; ++k) {
    if (!(result.weight[k] >= least_weight)) {
      return result;
    }
    result.weight[k] = std::max(result.weight[k], 0.0);
    r = r + result.weight[k] * v[k];
  }
  result.distance2 = dot(r, r);
  return result;
}

template <std::size_t corners>
Projection projection_of(const Element& element, const Fall& fall) {
  Projection result;
  if (fall.distance2 < Box::infinity) {
    result.distance2 = fall.distance2;
    for (std::size_t k = 0; k < corners; ++k) {
      if (fall.weight[k] > 0.0) {
        const auto entry = static_cast<std::size_t>(result.size++);
        result.weight[entry] = fall.weight[k];
        result.vertex[entry] = element[k];
      }
    }
  }
  return result;
}

template <std::size_t corners>
std::array<Point, corners> points_of(const ElementTree& elements, const Element& element) {
  std::array<Point, corners> v;
  for (std::size_t k = 0; k < corners; ++k) {
    v[k] = elements.point(element[k]);
  }
  return v;
}

} // namespace

Projection fall_onto(const ElementTree& elements, const Element& element, const Point& query) {
  return element[2] >= 0 ? projection_of<3>(element, fall(points_of<3>(elements, element), query))
                         : projection_of<2>(element, fall(points_of<2>(elements, element), query));
}

void NearElements::clear() {
  near_.clear();
  too_many_ = false;
}

template <std::size_t corners>
double NearElements::offer(const Element& element, const std::array<Point, corners>& v,
                           double box_distance2, const Point& query) {
  const bool is_full = near_.size() >= most;
  if (is_full && near_[most - 1].box_distance2 < box_distance2) {
    return Box::infinity;
  }
  const One one{box_distance2, Box::infinity, element};
  std::size_t at = near_.size();
  for (; at > 0; --at) {
    const int order = compare(one, near_[at - 1]);
    if (order == 0) {
      near_[at - 1].element = std::min(near_[at - 1].element, element);
      return Box::infinity;
    }
    if (order > 0) {
      break;
    }
  }
  if (at >= most && (ties_ == Ties::by_place || near_.size() >= most_kept)) {
    too_many_ = true;
    return Box::infinity;
  }
  near_.insert(near_.begin() + static_cast<std::ptrdiff_t>(at), one);
  near_[at].distance2 = fall(v, query).distance2;
  const double distance2 = near_[at].distance2;
  while (near_.size() > most &&
         (ties_ == Ties::by_place || near_.back().box_distance2 > near_[most - 1].box_distance2)) {
    near_.pop_back();
  }
  return distance2;
}

template double NearElements::offer<2>(const Element&, const std::array<Point, 2>&, double,
                                       const Point&);
template double NearElements::offer<3>(const Element&, const std::array<Point, 3>&, double,
                                       const Point&);

double NearElements::diagonal2(const Element& element) const {
  Box box;
  for (int k = 0; k < num_corners(element); ++k) {
    box.expand(elements_.point(element[k]));
  }
  const Point extent = box.hi - box.lo;
  return dot(extent, extent);
}

int NearElements::compare(const One& a, const One& b) const {
  if (a.box_distance2 != b.box_distance2) [[likely]] {
    return a.box_distance2 < b.box_distance2 ? -1 : 1;
  }
  const double of_a = diagonal2(a.element);
  const double of_b = diagonal2(b.element);
  if (of_a != of_b) {
    return of_a > of_b ? -1 : 1;
  }
  for (int k = 0; k < num_corners(a.element); ++k) {
    const Point x = elements_.point(a.element[k]);
    const Point y = elements_.point(b.element[k]);
    if (x != y) {
      return x < y ? -1 : 1;
    }
  }
  if (ties_ == Ties::by_place || a.element == b.element) {
    return 0;
  }
  return a.element < b.element ? -1 : 1;
}

const NearElements::One* NearElements::closest_of(std::span<const One> some, double limit2) const {
  const One* closest = nullptr;
  for (const One& one : some) {
    const bool is_in_reach =
        one.distance2 <= limit2 && (ties_ == Ties::by_number || one.box_distance2 <= limit2);
    if (is_in_reach && (closest == nullptr || one.distance2 < closest->distance2)) {
      closest = &one;
    }
  }
  return closest;
}

/// Whether all choices of candidates among those that are equally near contain one that the point
/// falls on at the same place.
bool NearElements::is_any_choice_the_same(const Projection& choice, const Point& query) const {
  const double last = near_[most - 1].box_distance2;
  std::size_t sure = 0;
  std::size_t others = 0;
  for (const One& one : near_) {
    if (one.box_distance2 < last) {
      ++sure;
    } else if (one.distance2 != choice.distance2 ||
               fall_onto(elements_, one.element, query) != choice) {
      ++others;
    }
  }
  return !too_many_ && others < most - sure;
}

NearElements::Choice NearElements::choose(const Point& query, double limit2) const {
  const One* const closest = closest_of(near_, limit2);
  const bool is_tied = ties_ == Ties::by_number && (near_.size() > most || too_many_);
  if (closest == nullptr) {
    return {{}, !(is_tied && too_many_)};
  }
  const Projection projection = fall_onto(elements_, closest->element, query);
  const bool is_sure = !is_tied || is_any_choice_the_same(projection, query) ||
                       (closest->box_distance2 < near_[most - 1].box_distance2 && !too_many_);
  return {projection, is_sure};
}

void NearElements::add_to(std::vector<Element>& all, double limit2) const {
  for (const One& one : near_) {
    if (one.box_distance2 <= limit2) {
      all.push_back(one.element);
    }
  }
}

Projection NearElements::choose_of(std::span<const Element> candidates, const Point& query,
                                   double limit2) {
  clear();
  for (const Element& candidate : candidates) {
    const Element element = elements_.ordered(candidate);
    Box box;
    for (int k = 0; k < num_corners(element); ++k) {
      box.expand(elements_.point(element[k]));
    }
    if (element[2] >= 0) {
      offer(element, points_of<3>(elements_, element), box.distance2(query), query);
    } else {
      offer(element, points_of<2>(elements_, element), box.distance2(query), query);
    }
  }
  const One* const closest = closest_of(near_, limit2);
  return closest == nullptr ? Projection{} : fall_onto(elements_, closest->element, query);
}

} // namespace isthmus::geometry
