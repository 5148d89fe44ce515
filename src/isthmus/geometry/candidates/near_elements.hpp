// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/candidates/numbered_boxes.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/element_tree.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Where a point falls on an edge or a triangle (two or three corners) when it is moved at right
/// angles; size 0 where that is beyond it. Entries without weight are left out.
[[nodiscard]] Projection fall_onto(const ElementTree& elements, const Element& element,
                                   const Point& query);

/// The elements of one size whose boxes are nearest to a point: those that are candidates, and by
/// number all others that are as near as the last of them.
class NearElements {
 public:
  static constexpr std::size_t most = 4; // candidates

  NearElements(const ElementTree& elements, Ties ties) : elements_(elements), ties_(ties) {}

  void clear();
  [[nodiscard]] Ties ties() const { return ties_; }
  /// Takes an element up if it is near enough; returns the squared distance to where the point
  /// falls on it, infinite where it does not, or where the element cannot be a candidate. `v` are
  /// its corners.
  template <std::size_t corners>
  double offer(const Element& element, const std::array<Point, corners>& v, double box_distance2,
               const Point& query);

  /// Where the point falls on the closest candidate, no farther than the root of `limit2`; size 0
  /// where there is none. Not `sure`: it depends on which of equally near ones are candidates.
  struct Choice {
    Projection projection;
    bool sure = true;
  };
  [[nodiscard]] Choice choose(const Point& query, double limit2) const;
  /// The same of these candidates.
  [[nodiscard]] Projection choose_of(std::span<const Element> candidates, const Point& query,
                                     double limit2);

  /// Adds those whose boxes are no farther than the root of `limit2`.
  void add_to(std::vector<Element>& all, double limit2) const;

 private:
  struct One {
    double box_distance2;
    double distance2; // to where the point falls on it
    Element element;
  };

  /// Below 0: `a` is preferred to `b`; 0: they count once.
  [[nodiscard]] int compare(const One& a, const One& b) const;
  [[nodiscard]] double diagonal2(const Element& element) const;
  [[nodiscard]] const One* closest_of(std::span<const One> some, double limit2) const;
  [[nodiscard]] bool is_any_choice_the_same(const Projection& choice, const Point& query) const;

  const ElementTree& elements_;
  Ties ties_;
  std::vector<One> near_;
  bool too_many_ = false; // to keep
};

} // namespace isthmus::geometry
