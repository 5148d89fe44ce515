// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/point_index.hpp"

#include "isthmus/geometry/curve.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::geometry {
namespace {

// A point that was found, in the order of preference.
struct Found {
  double distance2;
  Point x;
  LocalIndex id;

  friend bool operator<(const Found& a, const Found& b) {
    if (a.distance2 != b.distance2) {
      return a.distance2 < b.distance2;
    }
    return a.x != b.x ? a.x < b.x : a.id < b.id;
  }
};

bool finite(const Point& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

} // namespace

PointIndex::PointIndex(int dim, std::span<const double> coords)
    : dim_(dim),
      size_(point_count(dim, coords)),
      leaves_((size_ + width - 1) / width),
      bvh_(bounding_box(dim, coords), leaves_.size()) {
  const std::vector<LocalIndex> order = curve_order(dim, coords);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    Leaf& leaf = leaves_[i];
    Box box;
    for (std::size_t k = 0; k < width; ++k) {
      const bool used = i * width + k < size_;
      leaf.id[k] = used ? order[i * width + k] : -1;
      const Point p = used ? point_at(dim, coords, std::size_t(leaf.id[k]))
                           : Point{Box::infinity, Box::infinity, Box::infinity};
      for (int axis = 0; axis < 3; ++axis) {
        leaf.x[axis][k] = p[axis];
      }
      if (used) {
        box.expand(p);
      }
    }
    bvh_.set_box(i, box);
  }
  bvh_.close();
}

template <typename Visit>
void PointIndex::scan(std::size_t leaf, const Point& query, Visit&& visit) const {
  const Leaf& points = leaves_[leaf];
  std::array<double, width> distance2;
  for (std::size_t k = 0; k < width; ++k) {
    const double dx = points.x[0][k] - query[0];
    const double dy = points.x[1][k] - query[1];
    const double dz = points.x[2][k] - query[2];
    distance2[k] = dx * dx + dy * dy + dz * dz;
  }
  for (std::size_t k = 0; k < width; ++k) {
    visit(distance2[k], k);
  }
}

void PointIndex::nearest(std::span<const double> queries, std::span<LocalIndex> ids,
                         std::span<double> distance2) const {
  const std::size_t n = point_count(dim_, queries);
  std::size_t leaf_of_last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point query = point_at(dim_, queries, i);
    Found best{Box::infinity, {}, -1};
    if (size_ > 0 && finite(query)) {
      const Bvh::Query q = bvh_.query(query);
      float bound = 0.0F;
      const auto look = [&](std::size_t leaf) {
        scan(leaf, query, [&](double d2, std::size_t k) {
          if (d2 <= best.distance2 && leaves_[leaf].id[k] >= 0) {
            const Leaf& from = leaves_[leaf];
            const Found found{d2, {from.x[0][k], from.x[1][k], from.x[2][k]}, from.id[k]};
            if (best.id < 0 || found < best) {
              best = found;
              leaf_of_last = leaf;
              bound = bvh_.bound(q, d2);
            }
          }
        });
        return bound;
      };
      bound = bvh_.bound(q, Box::infinity);
      bound = look(leaf_of_last);
      bvh_.search(q, bound, look);
    }
    ids[i] = best.id;
    distance2[i] = best.distance2;
  }
}

void PointIndex::within(const Point& point, double radius, std::vector<LocalIndex>& ids) const {
  ids.clear();
  if (!finite(point) || !(radius >= 0.0)) {
    return;
  }
  const double radius2 = radius * radius;
  const Bvh::Query q = bvh_.query(point);
  const float bound = bvh_.bound(q, radius2);
  bvh_.search(q, bound, [&](std::size_t leaf) {
    scan(leaf, point, [&](double d2, std::size_t k) {
      if (d2 <= radius2 && leaves_[leaf].id[k] >= 0) {
        ids.push_back(leaves_[leaf].id[k]);
      }
    });
    return bound;
  });
  std::sort(ids.begin(), ids.end());
}

void PointIndex::nearest(const Point& point, std::size_t count,
                         std::vector<LocalIndex>& ids) const {
  ids.clear();
  if (!finite(point) || count == 0) {
    return;
  }
  std::vector<Found> heap; // the best so far, the worst of them on top
  const Bvh::Query q = bvh_.query(point);
  float bound = bvh_.bound(q, Box::infinity);
  bvh_.search(q, bound, [&](std::size_t leaf) {
    scan(leaf, point, [&](double d2, std::size_t k) {
      const Leaf& from = leaves_[leaf];
      const Found found{d2, {from.x[0][k], from.x[1][k], from.x[2][k]}, from.id[k]};
      if (found.id < 0 || std::isnan(d2) || (heap.size() == count && !(found < heap.front()))) {
        return;
      }
      if (heap.size() == count) {
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
      heap.push_back(found);
      std::push_heap(heap.begin(), heap.end());
      if (heap.size() == count) {
        bound = bvh_.bound(q, heap.front().distance2);
      }
    });
    return bound;
  });
  std::sort_heap(heap.begin(), heap.end());
  for (const Found& found : heap) {
    ids.push_back(found.id);
  }
}

std::size_t PointIndex::bytes() const {
  return leaves_.size() * sizeof(Leaf) + bvh_.bytes();
}

} // namespace isthmus::geometry
