// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/point_index.hpp"

#include "isthmus/geometry/search/packing.hpp"
#include "isthmus/geometry/search/query_order.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::geometry {
bool PointIndex::Found::operator<(const Found& other) const {
  if (distance2 != other.distance2) {
    return distance2 < other.distance2;
  }
  return x != other.x ? x < other.x : id < other.id;
}

PointIndex::Found PointIndex::found_at(std::size_t leaf, std::size_t k, double distance2) const {
  const Leaf& from = leaves_[leaf];
  return {distance2, {from.x[0][k], from.x[1][k], from.x[2][k]}, from.id[k]};
}

PointIndex::PointIndex(int dim, std::span<const double> coords)
    : dim_(dim),
      size_(point_count(dim, coords)),
      leaves_((size_ + width - 1) / width),
      bvh_(bounding_box(dim, coords), leaves_.size()) {
  const std::vector<Packed> order = packed(bounding_box(dim, coords), size_, [&](LocalIndex i) {
    return point_at(dim, coords, std::size_t(i));
  });
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    Leaf& leaf = leaves_[i];
    Box box;
    for (std::size_t k = 0; k < width; ++k) {
      const bool used = i * width + k < size_;
      leaf.id[k] = used ? order[i * width + k].id : -1;
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

inline std::array<double, PointIndex::width> PointIndex::distances2(std::size_t leaf,
                                                                    const Point& query) const {
  const Leaf& points = leaves_[leaf];
  std::array<double, width> distance2;
  for (std::size_t k = 0; k < width; ++k) {
    const double dx = points.x[0][k] - query[0];
    const double dy = points.x[1][k] - query[1];
    const double dz = points.x[2][k] - query[2];
    distance2[k] = dx * dx + dy * dy + dz * dz;
  }
  return distance2;
}

template <typename Visit>
void PointIndex::scan(std::size_t leaf, const Point& query, Visit&& visit) const {
  const std::array<double, width> distance2 = distances2(leaf, query);
  for (std::size_t k = 0; k < width; ++k) {
    visit(distance2[k], k);
  }
}

// The best point of a leaf, if it is better. Most leaves have none, which one comparison shows.
inline bool PointIndex::improve(std::size_t leaf, const Point& query, Found& best) const {
  const std::array<double, width> distance2 = distances2(leaf, query);
  double least = distance2[0];
  for (const double one : distance2) {
    least = one < least ? one : least;
  }
  if (!(least <= best.distance2)) {
    return false;
  }
  bool better = false;
  for (std::size_t k = 0; k < width; ++k) {
    if (distance2[k] == least && leaves_[leaf].id[k] >= 0) {
      Found found = found_at(leaf, k, least);
      found.is_tied = best.id >= 0 && least == best.distance2;
      if (best.id < 0 || found < best) {
        best = found;
        better = true;
      }
      best.is_tied = found.is_tied;
    }
  }
  return better;
}

void PointIndex::nearest(std::span<const double> queries, std::span<LocalIndex> ids,
                         std::span<double> distance2, std::vector<std::size_t>* tied) const {
  const std::size_t n = point_count(dim_, queries);
  const QueryOrder order(dim_, queries, bvh_.near());
  Bvh::Cursor cursor;
  std::size_t leaf_of_last = 0;
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::size_t i = order[turn];
    const Point query = point_at(dim_, queries, i);
    Found best{Box::infinity, {}, -1};
    if (size_ > 0 && finite(query)) {
      const Bvh::Query q = bvh_.query(query);
      const std::size_t first = leaf_of_last;
      improve(first, query, best);
      float reach = bvh_.reach(q, best.distance2);
      bvh_.search(cursor, q, reach, [&](std::size_t leaf) {
        if (leaf != first && improve(leaf, query, best)) {
          leaf_of_last = leaf;
          reach = bvh_.reach(q, best.distance2);
        }
        return reach;
      });
    }
    ids[i] = best.id;
    distance2[i] = best.distance2;
    if (best.is_tied && tied != nullptr) {
      tied->push_back(i);
    }
  }
}

template <typename Visit>
void PointIndex::visit_within(const Point& point, double radius, Visit&& visit) const {
  if (!finite(point) || !(radius >= 0.0)) {
    return;
  }
  const double radius2 = radius * radius;
  Bvh::Cursor cursor;
  const Bvh::Query q = bvh_.query(point);
  const float reach = bvh_.reach(q, radius2);
  bvh_.search(cursor, q, reach, [&](std::size_t leaf) {
    scan(leaf, point, [&](double d2, std::size_t k) {
      if (d2 <= radius2 && leaves_[leaf].id[k] >= 0) {
        visit(d2, leaf, k);
      }
    });
    return reach;
  });
}

void PointIndex::within(const Point& point, double radius, std::vector<LocalIndex>& ids) const {
  ids.clear();
  visit_within(point, radius, [&](double /*d2*/, std::size_t leaf, std::size_t k) {
    ids.push_back(leaves_[leaf].id[k]);
  });
  std::sort(ids.begin(), ids.end());
}

void PointIndex::within(const Point& point, double radius, std::vector<Neighbor>& found) const {
  found.clear();
  visit_within(point, radius, [&](double d2, std::size_t leaf, std::size_t k) {
    const Leaf& of = leaves_[leaf];
    found.push_back({{of.x[0][k], of.x[1][k], of.x[2][k]}, d2, of.id[k]});
  });
}

std::vector<LocalIndex> PointIndex::ids_by_place() const {
  std::vector<LocalIndex> ids;
  ids.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) { // all leaves but the last one are full
    ids.push_back(leaves_[i / width].id[i % width]);
  }
  return ids;
}

void PointIndex::nearest(const Point& point, std::size_t count,
                         std::vector<LocalIndex>& ids) const {
  ids.clear();
  if (!finite(point) || count == 0) {
    return;
  }
  struct Candidate {
    double distance2;
    std::size_t leaf;
    std::size_t k;
  };
  const auto is_nearer = [this](const Candidate& a, const Candidate& b) {
    return a.distance2 != b.distance2
               ? a.distance2 < b.distance2
               : found_at(a.leaf, a.k, a.distance2) < found_at(b.leaf, b.k, b.distance2);
  };
  std::vector<Candidate> nearest; // and as many others again at most
  double bound = Box::infinity;
  const auto keep_nearest = [&] {
    const auto last = nearest.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(nearest.begin(), last, nearest.end(), is_nearer);
    bound = last->distance2;
    nearest.resize(count);
  };
  Bvh::Cursor cursor;
  const Bvh::Query q = bvh_.query(point);
  float reach = bvh_.reach(q, Box::infinity);
  bvh_.search(cursor, q, reach, [&](std::size_t leaf) {
    scan(leaf, point, [&](double d2, std::size_t k) {
      if (d2 <= bound && leaves_[leaf].id[k] >= 0) {
        nearest.push_back({d2, leaf, k});
      }
    });
    if (nearest.size() >= count + std::max(count, width)) {
      keep_nearest();
      reach = bvh_.reach(q, bound);
    }
    return reach;
  });
  if (nearest.size() > count) {
    keep_nearest();
  }
  std::sort(nearest.begin(), nearest.end(), is_nearer);
  for (const Candidate& found : nearest) {
    ids.push_back(leaves_[found.leaf].id[found.k]);
  }
}

std::size_t PointIndex::bytes() const {
  return leaves_.size() * sizeof(Leaf) + bvh_.bytes();
}

} // namespace isthmus::geometry
