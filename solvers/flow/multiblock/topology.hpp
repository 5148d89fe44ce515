// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/nodes.hpp"

#include "isthmus/base/types.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::flow {

/// "block 3, j-min": blocks count from 1, as in files.
[[nodiscard]] std::string name_of(const Side& side);

/// What of a side shows with which other one it coincides.
struct SideShape {
  std::array<Vector, 4> corners{}; // (0,0), (1,0), (0,1), (1,1) of the two other axes, ascending
  Vector center{};                 // mean of all nodes
};

/// Shapes of the six sides of a block: axis 0 low, axis 0 high, axis 1 low, …
[[nodiscard]] std::array<SideShape, 6> side_shapes(const Nodes& nodes);

/// Indices of a block beyond a side as indices of the block there: along its own `axis` a, index i
/// becomes sign[a] * i + offset[a] along axis[a] of the other one. The other block appears moved by
/// `shift` (periodic sides).
struct Turn {
  Index3 axis{0, 1, 2};
  Index3 sign{1, 1, 1};
  Index3 offset{0, 0, 0};
  Vector shift{0, 0, 0};

  [[nodiscard]] Index3 operator()(const Index3& cell) const;
};

struct Connection {
  Side to;
  Turn turn;
};

/// Cells before a side that meet those before another one.
struct Patch {
  Index3 begin{};
  Index3 end{};
  Connection connection;
};

/// The two axes of a side, ascending.
[[nodiscard]] std::array<int, 2> axes_of(const Side& side);

/// That in which four corners coincide to within `tolerance`, if there is one; `other` is moved by
/// `shift` before.
[[nodiscard]] std::optional<Orientation> orientation_of(const std::array<Vector, 4>& one,
                                                        const std::array<Vector, 4>& other,
                                                        const Vector& shift, double tolerance);

/// Sides that repeat each other: what leaves through one of `sides` enters through another one,
/// which lies `shift` farther or nearer.
struct Periodic {
  std::vector<Side> sides;
  Vector shift{};
};

/// Which blocks meet where.
class Topology {
 public:
  /// Local. `shapes` of all blocks, six each. Sides whose corners and centers coincide to within
  /// `tolerance` times the largest distance of their corners are connected in the orientation that
  /// follows from the corners; others only by connect(). Throws Error where more than two sides
  /// coincide, the numbers of cells differ, or a periodic side has no other one.
  Topology(std::vector<Index3> cells, std::span<const std::array<SideShape, 6>> shapes,
           std::span<const Periodic> periodic, double tolerance);

  [[nodiscard]] int num_blocks() const { return static_cast<int>(cells_.size()); }
  [[nodiscard]] const Index3& cells(int block) const {
    return cells_[static_cast<std::size_t>(block)];
  }
  /// What is behind a side: one other side, parts of several, or nothing.
  [[nodiscard]] std::span<const Patch> behind(const Side& side) const {
    return patches_[number(side)];
  }
  /// What is behind a side at a cell, of which the nearest one before the side counts; nullptr if
  /// it meets nothing there.
  [[nodiscard]] const Patch* behind(const Side& side, const Index3& cell) const;
  /// Whether a whole side meets others.
  [[nodiscard]] bool is_covered(const Side& side) const;
  /// Part of a side meets part of another one of as many cells; from that one it is to be said,
  /// too.
  void connect(const Side& from, const SideRange& cells, const Side& to, const SideRange& there,
               const Orientation& orientation);
  [[nodiscard]] GlobalIndex num_cells(int block) const;

  /// A cell of a block, in terms of another one.
  struct Place {
    int block;
    Index3 cell;
    Turn turn; // from the indices of the one that asks
  };
  /// The cell that a block has as ghost `cell`, through at most three sides; nothing where one of
  /// them is a boundary.
  [[nodiscard]] std::optional<Place> find(int block, const Index3& cell) const;

 private:
  [[nodiscard]] static std::size_t number(const Side& side) {
    return static_cast<std::size_t>(6 * side.block + 2 * side.axis + side.end);
  }
  void match(const Side& one, const Side& other, std::span<const SideShape> shapes,
             const Vector& shift, double tolerance);
  [[nodiscard]] std::optional<Place> walk(Place place, const Index3& order) const;

  std::vector<Index3> cells_;
  std::vector<std::vector<Patch>> patches_; // six per block
};

} // namespace isthmus::flow
