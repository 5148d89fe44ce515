// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/point_blocks.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::mapping {

/// The nearest vertices of a mesh to some points, where some of both move now and then: only points
/// whose answer may have changed are searched again. The answers are those of
/// make_nearest_neighbor(); ties by number depend on all vertices: while there are some, everything
/// is searched again. Where a few in a hundred move, the rest costs a pass over the answers
/// and one look per block of points for moved vertices around it.
class MovingNearest {
 public:
  /// Interleaved coordinates; there must be vertices.
  MovingNearest(int dimensions, std::span<const double> vertices, std::span<const double> points,
                geometry::Ties ties = geometry::Ties::by_place);

  /// The same vertices and points, as many as before, at other places: of those that moved.
  void update(std::span<const double> vertices, std::span<const LocalIndex> moved_vertices,
              std::span<const double> points, std::span<const LocalIndex> moved_points);

  [[nodiscard]] const Interpolation& result() const { return result_; }

  /// A point that has another nearest vertex than before the last update.
  struct Change {
    LocalIndex point;
    LocalIndex before;
    LocalIndex now;
  };
  /// Null where the last update has searched everything again.
  [[nodiscard]] const std::vector<Change>* changes() const { return is_new_ ? nullptr : &changes_; }

 private:
  /// Some of 0…n-1.
  class Marked {
   public:
    explicit Marked(std::size_t n = 0) : is_marked_(n) {}
    void add(LocalIndex id);
    void clear();
    void sort();
    [[nodiscard]] bool has(LocalIndex id) const {
      return is_marked_[static_cast<std::size_t>(id)] != 0;
    }
    [[nodiscard]] std::span<const LocalIndex> list() const { return list_; } // as added, or sorted
    [[nodiscard]] std::size_t num_all() const { return is_marked_.size(); }

   private:
    std::vector<char> is_marked_;
    std::vector<LocalIndex> list_;
  };

  using Coordinates = std::span<const double>;
  void start(Coordinates vertices, Coordinates points);
  void mark(Coordinates vertices, std::span<const LocalIndex> moved, Coordinates points);
  void search_doubtful(Coordinates vertices, Coordinates points);
  [[nodiscard]] bool search(LocalIndex i, double close2, Coordinates vertices, Coordinates points);
  [[nodiscard]] bool has_rival(const geometry::Point& from, LocalIndex nearest, double nearest2,
                               Coordinates vertices);
  void make_index(Coordinates vertices);
  [[nodiscard]] geometry::Point place(Coordinates of, LocalIndex i) const {
    return geometry::point_at(dimensions_, of, static_cast<std::size_t>(i));
  }

  int dimensions_;
  std::optional<bool> is_tied_; // any point; not known where ties are decided by place
  Interpolation result_;
  PointBlocks blocks_;
  std::optional<geometry::PointIndex> index_; // of all vertices, as they were when it was made
  Marked moved_;                              // vertices, since then
  std::optional<geometry::PointIndex> moved_index_;
  bool is_new_ = true;
  std::vector<Change> changes_;
  // within an update
  std::vector<LocalIndex> found_;
  Marked doubtful_; // points to be searched again
  Marked moves_;    // vertices
};

} // namespace isthmus::mapping
