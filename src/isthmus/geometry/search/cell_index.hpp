// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/search/bvh.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// A point in a cell: the sum of weight[i] times vertex[i]. Weights sum to 1 up to rounding;
/// unused entries are -1 and 0, as are all where no cell contains the point.
struct CellPoint {
  std::array<double, 4> weight{};
  std::array<LocalIndex, 4> vertex{-1, -1, -1, -1};

  [[nodiscard]] bool found() const { return vertex[0] >= 0; }
};

/// Finds the triangle (2D) or tetrahedron (3D) around a point. Results do not depend on the order
/// of vertices or cells: of several cells the one is taken in which the point lies deepest, then
/// the one with the smallest coordinates.
class CellIndex {
 public:
  /// `cells` holds triples (2D) or quadruples (3D) of positions in `coords`, which must outlive the
  /// index. Cells without volume contain nothing.
  CellIndex(int dim, std::span<const double> coords, std::span<const LocalIndex> cells);

  /// The cells around the queries (interleaved coordinates).
  void locate(std::span<const double> queries, std::span<CellPoint> out) const;

  [[nodiscard]] std::size_t size() const { return cells_.size(); }

 private:
  using Corners = std::array<LocalIndex, 4>; // -1 in 2D

  [[nodiscard]] Point place(LocalIndex id) const {
    return point_at(dim_, coords_, static_cast<std::size_t>(id));
  }
  [[nodiscard]] bool before(LocalIndex a, LocalIndex b) const;
  [[nodiscard]] std::array<double, 4> weights(const Corners& cell, const Point& query) const;
  [[nodiscard]] bool wins_tie(const Corners& cell, const CellPoint& other) const;
  [[nodiscard]] CellPoint locate(Bvh::Cursor& cursor, const Point& query) const;

  int dim_;
  std::span<const double> coords_;
  std::vector<Corners> cells_; // packed, corners in lexicographic order
  Bvh bvh_;
};

} // namespace isthmus::geometry
