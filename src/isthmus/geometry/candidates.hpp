// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/bvh.hpp"
#include "isthmus/geometry/project.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Projects onto edges, or onto triangles, by a few candidates, as preCICE does: the four whose
/// bounding boxes are nearest to the point; of equally near ones those with the longer diagonal,
/// then those with the smaller coordinates. Elements at one place count once. The result depends on
/// no order.
class Candidates {
 public:
  /// `elements` holds pairs (`corners` 2) or triples (3) of positions in `coords`, which must
  /// outlive this.
  Candidates(int dim, std::span<const double> coords, std::span<const LocalIndex> elements,
             int corners);

  /// The closest candidate on which the point falls when it is moved at right angles, no farther
  /// than the root of `limit2`; size 0 where there is none. Nothing farther matters.
  [[nodiscard]] Projection project(const Point& query, double limit2) const;

 private:
  static constexpr std::size_t most = 4;
  using Corners = std::array<Corner, 3>;

  struct Candidate {
    double box_distance2;
    double diagonal2;
    std::size_t element;
  };

  [[nodiscard]] Corners corners_of(std::size_t element) const;
  [[nodiscard]] Candidate candidate(std::size_t element, const Point& query) const;
  /// Below 0: `a` is preferred to `b`; 0: they lie at one place.
  [[nodiscard]] int compare(const Candidate& a, const Candidate& b) const;
  [[nodiscard]] Projection onto(std::size_t element, const Point& query) const;

  int dim_;
  std::size_t count_; // corners of an element
  std::span<const double> coords_;
  std::vector<LocalIndex> elements_; // packed, corners in lexicographic order
  Bvh bvh_;
};

/// The edges of triangles (triples) and these edges (pairs), as pairs, each once.
[[nodiscard]] std::vector<LocalIndex> all_edges(std::span<const LocalIndex> edges,
                                                std::span<const LocalIndex> triangles);

} // namespace isthmus::geometry
