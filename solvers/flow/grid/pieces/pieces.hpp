// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/topology.hpp"
#include "isthmus/partition/blocks.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::flow {

/// What one rank owns of a block: the whole of it, or a box of its cells. `part` is the rank.
using partition::Piece;

/// Which piece has a cell. The pieces must outlive it.
class PieceFinder {
 public:
  /// `pieces` by ascending block.
  PieceFinder(std::span<const Piece> pieces, int num_blocks);

  /// The pieces of a block.
  [[nodiscard]] std::span<const Piece> of(int block) const {
    const auto b = static_cast<std::size_t>(block);
    return pieces_.subspan(first_[b], first_[b + 1] - first_[b]);
  }
  /// Position of the piece with a cell of a block among all pieces.
  [[nodiscard]] std::size_t find(int block, const Index3& cell) const;

 private:
  std::span<const Piece> pieces_;
  std::vector<std::size_t> first_; // per block, of its pieces; their number at the end
};

/// Whether a piece is a whole block.
[[nodiscard]] bool is_whole(const Topology& topology, const Piece& piece);

/// Faces at which two pieces of a block meet: the cells of `low` before the cut, as the block
/// counts them.
struct Cut {
  std::size_t low; // pieces
  std::size_t high;
  int axis;
  Index3 begin;
  Index3 end;
};

/// All of them, in a fixed order.
[[nodiscard]] std::vector<Cut> list_cuts(std::span<const Piece> pieces, int num_blocks);

/// The same parts of blocks with half the cells along each axis; not along k if flat.
[[nodiscard]] std::vector<Piece> coarser(std::vector<Piece> pieces, bool is_flat);

/// A cell of a piece, by its indices in the block.
[[nodiscard]] inline Index3 in_block(const Piece& piece, const Index3& cell) {
  return {piece.begin[0] + cell[0], piece.begin[1] + cell[1], piece.begin[2] + cell[2]};
}

} // namespace isthmus::flow
