// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/bvh.hpp"
#include "isthmus/geometry/search/packed_boxes.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Which of elements with equally near boxes are candidates: those with the longer diagonal, then
/// those with the smaller coordinates, in any order of vertices and elements; or those that preCICE
/// finds, which follows from the numbers of their vertices.
enum class Ties { by_place, by_number };

/// Projects onto edges, or onto triangles, by a few candidates, as preCICE does: the four whose
/// bounding boxes are nearest to the point. Elements at one place count once, or, by number, those
/// with the same vertices.
class Candidates {
 public:
  /// `elements` holds pairs (`corners` 2) or triples (3) of positions in `coords`, which must
  /// outlive this.
  Candidates(int dim, std::span<const double> coords, std::span<const LocalIndex> elements,
             int corners, Ties ties);

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

  [[nodiscard]] Box box(std::size_t element) const;
  void order_by_place();
  void order_by_number();
  [[nodiscard]] std::vector<std::size_t> nearest(const Point& query, double limit2) const;
  [[nodiscard]] Corners corners_of(std::size_t element) const;
  [[nodiscard]] Candidate candidate(std::size_t element, const Point& query) const;
  /// Below 0: `a` is preferred to `b`; 0: they lie at one place.
  [[nodiscard]] int compare(const Candidate& a, const Candidate& b) const;
  [[nodiscard]] Projection onto(std::size_t element, const Point& query) const;

  int dim_;
  std::size_t count_; // corners of an element
  std::span<const double> coords_;
  std::vector<LocalIndex> elements_;
  Bvh bvh_; // by place: elements are packed, corners in lexicographic order
  std::optional<PackedBoxes> boxes_; // by number: both ascend
};

/// The edges of triangles (triples) and these edges (pairs), as pairs, each once.
[[nodiscard]] std::vector<LocalIndex> all_edges(std::span<const LocalIndex> edges,
                                                std::span<const LocalIndex> triangles);

} // namespace isthmus::geometry
