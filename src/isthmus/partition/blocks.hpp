// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::partition {

/// A block of a structured grid.
struct Block {
  std::array<int, 3> cells;     // along i, j, k
  std::array<double, 3> center; // of mass; only says which blocks are near each other
};

/// The whole high face of block `low` along `axis` meets the whole low face of block `high`; cells
/// match one to one, with the same indices along the other axes. A block may meet itself.
struct Seam {
  int low;
  int high;
  int axis;
};

struct Multiblock {
  std::vector<Block> blocks;
  std::vector<Seam> seams;
};

/// A box of cells of one block.
struct Piece {
  int block;
  std::array<int, 3> begin;
  std::array<int, 3> end; // one past the last
  int part = 0;

  [[nodiscard]] int length(int axis) const {
    const auto k = static_cast<std::size_t>(axis);
    return end[k] - begin[k];
  }
  [[nodiscard]] GlobalIndex cells() const {
    return static_cast<GlobalIndex>(length(0)) * length(1) * length(2);
  }
  /// Cells of a plane across `axis`.
  [[nodiscard]] GlobalIndex plane(int axis) const { return cells() / length(axis); }
};

/// The high face of piece `low` along `axis` and the low face of piece `high` share `area` faces.
struct Contact {
  int low;
  int high;
  int axis;
  GlobalIndex area;
};

struct BlockSettings {
  double tolerance = 1.02; // largest over mean number of cells of a part
  /// Where the cells of a part do not come out even, blocks are cut across i, j or k.
  bool split = true;
};

/// Divides the blocks among parts: boxes of cells, at most parts - 1 cuts more than blocks. Blocks
/// are bisected along the coordinate directions, and where whole blocks fit too badly one of them
/// is cut across one of its axes, so that balance, few ghost cells and few cells at the borders of
/// parts come together, in that order. Without splitting, what whole blocks allow. Serial, of
/// numbers of blocks and parts only, never of cells; deterministic: one rank calls it and deals the
/// pieces. Throws if parts < 1, there are fewer cells (or blocks, without splitting) than parts, or
/// blocks and seams do not fit together.
[[nodiscard]] std::vector<Piece> distribute_blocks(const Multiblock& grid, int parts,
                                                   const BlockSettings& settings = {});

/// Finds faces at which pieces meet, of one block and across seams: O(pieces log pieces), however
/// many blocks the grid has.
class ContactFinder {
 public:
  explicit ContactFinder(const Multiblock& grid);
  [[nodiscard]] std::vector<Contact> find(std::span<const Piece> pieces) const;

 private:
  const Multiblock& grid_;
  std::vector<Seam> seams_; // by low block
};

/// The same, once.
[[nodiscard]] std::vector<Contact> contacts(const Multiblock& grid, std::span<const Piece> pieces);

/// Whole blocks, all in part 0.
[[nodiscard]] std::vector<Piece> whole_blocks(const Multiblock& grid);

/// Pieces as vertices, weighted with their cells, and contacts as edges, weighted with their area:
/// for dividing whole blocks by METIS.
[[nodiscard]] Graph graph_of(const Multiblock& grid, std::span<const Piece> pieces);

/// What a distribution is worth; `layers` of ghost cells surround each piece, edges and corners not
/// counted.
struct BlockQuality {
  GlobalIndex most_cells;    // of one part
  double imbalance;          // largest over mean number of cells of a part
  int empty;                 // parts without cells
  GlobalIndex ghosts;        // of all pieces
  double ghost_growth;       // ghosts over those of whole blocks, minus 1
  GlobalIndex received;      // ghost cells filled by other parts
  GlobalIndex most_received; // of one part
  int most_partners;         // of one part
  double slowest;            // largest sum of cells and ghost_cost * received ghost cells of a part
};

[[nodiscard]] BlockQuality assess_blocks(const Multiblock& grid, std::span<const Piece> pieces,
                                         int parts, int layers = 1, double ghost_cost = 0.0);

} // namespace isthmus::partition
