// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/cell_index.hpp"

#include "isthmus/geometry/search/packing.hpp"
#include "isthmus/geometry/search/query_order.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::geometry {

namespace {

// A point belongs to a cell if its weights are at least minus this: more than the rounding of
// weights in cells of reasonable shape.
constexpr double tolerance = 1e-10;

double volume(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(cross(b - a, c - a), d - a);
}

double area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

} // namespace

CellIndex::CellIndex(int dim, std::span<const double> coords, std::span<const LocalIndex> cells)
    : dim_(dim), coords_(coords) {
  const std::size_t corners = static_cast<std::size_t>(dim) + 1;
  const std::size_t count = cells.size() / corners;
  const Box extent = bounding_box(dim, coords);
  const std::vector<Packed> order = packed(extent, count, [&](LocalIndex i) {
    Box box;
    for (std::size_t k = 0; k < corners; ++k) {
      box.expand(place(cells[static_cast<std::size_t>(i) * corners + k]));
    }
    return box.center();
  });
  bvh_ = Bvh(extent, count);
  cells_.resize(count, {-1, -1, -1, -1});
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = static_cast<std::size_t>(order[i].id) * corners;
    Box box;
    for (std::size_t k = 0; k < corners; ++k) {
      cells_[i][k] = cells[first + k];
      box.expand(place(cells_[i][k]));
    }
    std::sort(cells_[i].begin(), cells_[i].begin() + static_cast<std::ptrdiff_t>(corners),
              [this](LocalIndex a, LocalIndex b) { return before(a, b); });
    bvh_.set_box(i, box);
  }
  bvh_.close();
}

bool CellIndex::before(LocalIndex a, LocalIndex b) const {
  const Point x = place(a);
  const Point y = place(b);
  return x != y ? x < y : a < b;
}

/// Barycentric coordinates from volumes; not numbers where the cell has no volume.
std::array<double, 4> CellIndex::weights(const Corners& cell, const Point& query) const {
  const Point a = place(cell[0]);
  const Point b = place(cell[1]);
  const Point c = place(cell[2]);
  if (dim_ == 2) {
    const double whole = area(a, b, c);
    const double u = area(query, b, c) / whole;
    const double v = area(a, query, c) / whole;
    return {u, v, 1.0 - u - v, 0.0};
  }
  const Point d = place(cell[3]);
  const double whole = volume(a, b, c, d);
  const double u = volume(query, b, c, d) / whole;
  const double v = volume(a, query, c, d) / whole;
  const double w = volume(a, b, query, d) / whole;
  return {u, v, w, 1.0 - u - v - w};
}

/// Whether `cell` is preferred to the cell of `other`, in which the point lies as deep.
bool CellIndex::wins_tie(const Corners& cell, const CellPoint& other) const {
  const std::ptrdiff_t corners = dim_ + 1;
  return !other.found() ||
         std::lexicographical_compare(cell.begin(), cell.begin() + corners, other.vertex.begin(),
                                      other.vertex.begin() + corners,
                                      [this](LocalIndex a, LocalIndex b) { return before(a, b); });
}

CellPoint CellIndex::locate(Bvh::Cursor& cursor, const Point& query) const {
  const Bvh::Query q = bvh_.query(query);
  const float reach = bvh_.reach(q, 0.0);
  const std::ptrdiff_t corners = dim_ + 1;
  CellPoint best;
  double deepest = -tolerance;
  bvh_.search(cursor, q, reach, [&](std::size_t item) {
    const Corners& cell = cells_[item];
    const std::array<double, 4> w = weights(cell, query);
    const double depth = *std::min_element(w.begin(), w.begin() + corners);
    if (depth > deepest || (depth == deepest && wins_tie(cell, best))) {
      deepest = depth;
      best = {w, cell};
    }
    return reach;
  });
  return best;
}

void CellIndex::locate(std::span<const double> queries, std::span<CellPoint> out) const {
  const std::size_t n = point_count(dim_, queries);
  Bvh::Cursor cursor;
  const QueryOrder order(dim_, queries, bvh_.near());
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::size_t i = order[turn];
    const Point query = point_at(dim_, queries, i);
    out[i] = finite(query) ? locate(cursor, query) : CellPoint{};
  }
}

} // namespace isthmus::geometry
