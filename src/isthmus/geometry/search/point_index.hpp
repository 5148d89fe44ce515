// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/search/bvh.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Finds the nearest of many points. Keeps a copy of the coordinates. Results do not depend on the
/// order of the points: equal distances are decided by x, y, z, and only then by the smaller id.
class PointIndex {
 public:
  /// A point near another one.
  struct Neighbor {
    Point x;
    double distance2; // from the other one
    LocalIndex id;
  };

  PointIndex(int dim, std::span<const double> coords);

  /// Ids and squared distances of the points nearest to the queries (interleaved coordinates);
  /// -1 and infinity when the index is empty or the query is not a number.
  /// `tied`, if any: adds the positions of queries with several nearest points.
  void nearest(std::span<const double> queries, std::span<LocalIndex> ids,
               std::span<double> distance2, std::vector<std::size_t>* tied = nullptr) const;
  /// Replaces `ids` by the points with a distance of at most `radius`, in ascending order.
  void within(const Point& point, double radius, std::vector<LocalIndex>& ids) const;
  /// The same points with where they are, in no order.
  void within(const Point& point, double radius, std::vector<Neighbor>& found) const;
  /// Replaces `ids` by the `count` nearest points (or all if there are fewer), nearest first.
  void nearest(const Point& point, std::size_t count, std::vector<LocalIndex>& ids) const;

  /// All ids, so that those of points near each other follow each other.
  [[nodiscard]] std::vector<LocalIndex> ids_by_place() const;
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Memory in use.
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t width = Bvh::width;
  struct Leaf {
    double x[3][width];
    LocalIndex id[width];
  };

  // A point that was found; less is preferred.
  struct Found {
    double distance2;
    Point x;
    LocalIndex id;
    bool is_tied = false;
    bool operator<(const Found& other) const;
  };

  [[nodiscard]] std::array<double, width> distances2(std::size_t leaf, const Point& query) const;
  // Calls visit(squared distance, slot) for the points of a leaf.
  template <typename Visit>
  void scan(std::size_t leaf, const Point& query, Visit&& visit) const;
  // The same for all points with a distance of at most `radius`: visit(squared distance, leaf,
  // slot).
  template <typename Visit>
  void visit_within(const Point& point, double radius, Visit&& visit) const;

  [[nodiscard]] Found found_at(std::size_t leaf, std::size_t k, double distance2) const;
  bool improve(std::size_t leaf, const Point& query, Found& best) const;

  int dim_;
  std::size_t size_;
  std::vector<Leaf> leaves_; // unused slots: id -1
  Bvh bvh_;
};

} // namespace isthmus::geometry
