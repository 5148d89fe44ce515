// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/candidates.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/geometry/search/query_order.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isthmus::geometry {

namespace {

/// Searches for one point after another. First for the closest place on the largest elements, until
/// nothing nearer can be missed: mostly it is on one of the candidates. Else all elements that are
/// as near as the nearest vertex are gathered, and the candidates chosen of them.
class CandidateSearch {
 public:
  CandidateSearch(const ElementTree& elements, Ties ties, std::array<NumberedBoxes, 3>& numbered,
                  double roundings)
      : elements_(elements), numbered_(numbered), roundings_(roundings), near_(elements, ties) {}

  template <std::size_t largest>
  Projection find(const Point& query) {
    query_ = query;
    visit<largest>(elements_.bound_by_corners(last_, query));
    const auto [first, is_sure] = near_.choose(query, nearest2_);
    if (first.size > 0 && is_sure && first.distance2 == closest2_) {
      return first;
    }
    if (closest2_ < nearest2_) { // something as near as the nearest vertex may have been left out
      visit<0>(nearest2_);
    }
    if constexpr (largest == 3) {
      if (const Projection second = choose<3>(); second.size > 0) {
        return second;
      }
    }
    const Projection third = choose<2>();
    return third.size > 0 ? third : nearest_vertex();
  }

  /// Adds the candidates of all sizes, whether the point falls on one or not, and the nearest
  /// vertex.
  template <std::size_t largest>
  void gather(const Point& query, std::vector<Element>& all) {
    query_ = query;
    visit<largest>(elements_.bound_by_corners(last_, query));
    if (closest2_ < nearest2_) {
      visit<0>(nearest2_);
    }
    if constexpr (largest == 3) {
      offer_visited<3>();
      near_.add_to(all, nearest2_);
    }
    offer_visited<2>();
    near_.add_to(all, nearest2_);
    if (const Projection nearest = nearest_vertex(); nearest.size > 0) {
      all.push_back({nearest.vertex[0], -1, -1});
    }
  }

 private:
  /// Visits what is not farther away than the root of `limit2`, nor than the nearest vertex, nor
  /// than the closest place on an element of so many corners.
  template <std::size_t corners>
  void visit(double limit2) {
    near_.clear();
    visited_.clear();
    nearest2_ = limit2;
    closest2_ = Box::infinity;
    const Bvh& boxes = elements_.boxes();
    const Bvh::Query q = boxes.query(query_);
    double reached2 = limit2;
    const auto reach_of = [&](double distance2) {
      const double distance = std::sqrt(distance2) + roundings_;
      return boxes.reach(q, distance * distance);
    };
    float reach = reach_of(limit2);
    boxes.search(cursor_, q, reach, [&](std::size_t item) {
      visited_.push_back(item);
      const Element& element = elements_[item];
      if constexpr (corners > 0) {
        if (element[corners - 1] >= 0) [[likely]] {
          look_at<corners>(element);
        } else {
          nearest2_ = std::min(nearest2_, elements_.bound_by_corners(element, query_));
        }
        if (std::min(nearest2_, closest2_) < reached2) {
          last_ = element;
          reached2 = std::min(nearest2_, closest2_);
          reach = std::min(reach, reach_of(reached2));
        }
      }
      return reach;
    });
  }

  template <std::size_t corners>
  void look_at(const Element& element) {
    std::array<Point, corners> v;
    Box box;
    for (std::size_t k = 0; k < corners; ++k) {
      v[k] = elements_.point(element[k]);
      box.expand(v[k]);
      const Point r = v[k] - query_;
      nearest2_ = std::min(nearest2_, dot(r, r));
    }
    const double distance2 = near_.offer<corners>(element, v, box.distance2(query_), query_);
    closest2_ = std::min(closest2_, distance2);
  }

  template <std::size_t corners>
  void offer_visited() {
    near_.clear();
    for (const std::size_t item : visited_) {
      const Element& element = elements_[item];
      if (num_corners(element) == corners) {
        look_at<corners>(element);
      } else if (num_corners(element) > static_cast<int>(corners)) {
        for (const Element& edge : edges_of(element)) {
          look_at<corners>(edge);
        }
      } else {
        nearest2_ = std::min(nearest2_, elements_.bound_by_corners(element, query_));
      }
    }
  }

  template <std::size_t corners>
  Projection choose() {
    offer_visited<corners>();
    const auto [projection, is_sure] = near_.choose(query_, nearest2_);
    return is_sure ? projection
                   : near_.choose_of(numbered_[corners - 1].nearest(query_, NearElements::most),
                                     query_, nearest2_);
  }

  [[nodiscard]] Projection nearest_vertex() const {
    Projection nearest;
    bool is_tied = false;
    for (const std::size_t item : visited_) {
      for (const LocalIndex id : elements_[item]) {
        if (id >= 0) {
          const Corner corner = elements_.corner(id);
          const Point r = corner.x - query_;
          const double distance2 = dot(r, r);
          is_tied = distance2 == nearest.distance2 ? is_tied || id != nearest.vertex[0]
                                                   : is_tied && distance2 > nearest.distance2;
          if (nearest.size == 0 || distance2 < nearest.distance2 ||
              (distance2 == nearest.distance2 &&
               lexicographic(corner, elements_.corner(nearest.vertex[0])))) {
            nearest = {{1.0, 0.0, 0.0}, distance2, {id, -1, -1}, 1};
          }
        }
      }
    }
    if (is_tied && near_.ties() == Ties::by_number) {
      nearest.vertex[0] = numbered_[0].nearest(query_, 1).front()[0];
    }
    return nearest;
  }

  const ElementTree& elements_;
  std::array<NumberedBoxes, 3>& numbered_; // vertices, edges, triangles
  double roundings_;
  Point query_{};
  Bvh::Cursor cursor_;
  Element last_{-1, -1, -1}; // near the query before
  std::vector<std::size_t> visited_;
  NearElements near_;
  double nearest2_ = 0; // of the vertices seen
  double closest2_ = 0; // of the places seen on the largest elements
};

/// Leaves out what is said twice: elements once more, edges of triangles that are there, too.
void keep_each_once(std::vector<Element>& elements) {
  sort_once(elements);
  std::vector<Element> sides;
  for (const Element& element : elements) {
    if (num_corners(element) == 3) {
      const auto edges = edges_of(element);
      sides.insert(sides.end(), edges.begin(), edges.end());
    }
  }
  std::sort(sides.begin(), sides.end());
  std::erase_if(elements, [&sides](const Element& element) {
    return std::binary_search(sides.begin(), sides.end(), element);
  });
}

double largest_coordinate(int dim, std::span<const double> coords) {
  double largest = 0;
  const Box box = bounding_box(dim, coords);
  for (std::size_t k = 0; k < 3 && !box.empty(); ++k) {
    largest = std::max({largest, -box.lo[k], box.hi[k]});
  }
  return largest;
}

} // namespace

Candidates::Candidates(int dim, std::span<const double> coords, std::span<const LocalIndex> edges,
                       std::span<const LocalIndex> triangles, Ties ties)
    : elements_(dim, coords, edges, triangles),
      numbered_{{{elements_, 1}, {elements_, 2}, {elements_, 3}}},
      ties_(ties),
      has_triangles_(dim == 3 && !triangles.empty()),
      roundings_(1e-9 * largest_coordinate(dim, coords)) {}

void Candidates::project(std::span<const double> queries, std::span<Projection> out) const {
  const int dim = elements_.dimensions();
  CandidateSearch search(elements_, ties_, numbered_, roundings_);
  const QueryOrder order(dim, queries, elements_.boxes().near());
  for (std::size_t turn = 0; turn < out.size(); ++turn) {
    const std::size_t i = order[turn];
    const Point query = point_at(dim, queries, i);
    if (!finite(query) || elements_.size() == 0) {
      out[i] = {};
    } else {
      out[i] = has_triangles_ ? search.find<3>(query) : search.find<2>(query);
    }
  }
}

std::vector<Element> Candidates::gather(std::span<const double> queries) const {
  const int dim = elements_.dimensions();
  CandidateSearch search(elements_, ties_, numbered_, roundings_);
  const QueryOrder order(dim, queries, elements_.boxes().near());
  const std::size_t count = elements_.size() == 0 ? 0 : point_count(dim, queries);
  std::vector<Element> all;
  std::size_t many = 1 << 16;
  for (std::size_t turn = 0; turn < count; ++turn) {
    const Point query = point_at(dim, queries, order[turn]);
    if (finite(query)) {
      has_triangles_ ? search.gather<3>(query, all) : search.gather<2>(query, all);
    }
    if (all.size() > many) { // neighbours have most in common
      keep_each_once(all);
      many = std::max(many, 2 * all.size());
    }
  }
  keep_each_once(all);
  return all;
}

} // namespace isthmus::geometry
