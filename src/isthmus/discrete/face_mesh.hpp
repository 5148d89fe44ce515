// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// One rank's cells and the faces between two cells of which it owns one at least. What crosses a
/// wall is zero, so walls have no faces. Cells of other ranks follow the own ones as ghosts, one
/// for each shared face, patch by patch.
struct FaceMesh {
  /// Positive fluxes go from the owner to the neighbour, on every rank.
  struct Face {
    LocalIndex owner, neighbour;
  };
  /// What this rank shares with another: the same faces in the same order there.
  struct Patch {
    int rank;
    std::vector<LocalIndex> faces;
  };

  std::vector<GlobalIndex> cell_ids; // ascending
  std::vector<double> volumes;
  std::vector<GlobalIndex> face_ids; // ascending
  std::vector<Face> faces;
  std::vector<Patch> patches; // ascending by rank
  std::int64_t epoch = 0;     ///< whoever changes the mesh changes this; nothing is sent for it

  [[nodiscard]] LocalIndex num_cells() const { return static_cast<LocalIndex>(volumes.size()); }
  [[nodiscard]] std::size_t num_ghosts() const;
};

/// A box of equal cells, numbered along x, then y, then z; one layer across z is a plane.
struct FaceGrid {
  std::array<int, 3> cells;
  std::array<double, 3> lengths;

  [[nodiscard]] GlobalIndex num_cells() const;
  [[nodiscard]] std::array<int, 3> place_of(GlobalIndex cell) const;
};

/// Across which the face of this number lies: 0, 1, 2 for x, y, z.
[[nodiscard]] std::size_t axis_of(GlobalIndex face);

/// Blocks of cells that touch each other least.
class FaceBlocks {
 public:
  FaceBlocks(const FaceGrid& grid, int parts);
  [[nodiscard]] int part_of(GlobalIndex cell) const;
  [[nodiscard]] std::vector<GlobalIndex> cells_of(int part) const; ///< ascending

 private:
  FaceGrid grid_;
  std::array<int, 3> parts_; // along each axis
};

/// The part of `rank` that owns `cells` (ascending), made without the other ranks.
[[nodiscard]] FaceMesh make_face_mesh(const FaceGrid& grid, std::vector<GlobalIndex> cells,
                                      int rank, const std::function<int(GlobalIndex)>& rank_of);

/// The block of a rank.
[[nodiscard]] FaceMesh make_face_block(const FaceGrid& grid, int ranks, int rank);

/// Volumes per time through the faces of a plane flow (u, v) = (d/dy, -d/dx) stream(x, y): what
/// enters a cell leaves it, but for rounding.
[[nodiscard]] std::vector<double> stream_fluxes(
    const FaceGrid& grid, const FaceMesh& mesh,
    const std::function<double(double, double)>& stream);

} // namespace isthmus::discrete
