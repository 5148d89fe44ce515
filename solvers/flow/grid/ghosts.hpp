// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/pieces.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// The blocks of all ranks, who owns what of them, and what this rank owns.
struct Blocks {
  Topology topology;
  std::vector<Piece> pieces;   // of all ranks, by ascending block
  std::vector<int> own;        // which of the pieces, ascending
  std::vector<Extent> extents; // of the own ones

  [[nodiscard]] const Piece& own_piece(std::size_t own_index) const {
    return pieces[static_cast<std::size_t>(own[own_index])];
  }
  /// Where values of own pieces begin if a piece has `fields` arrays of stored() values each, one
  /// behind the other; their number at the end.
  [[nodiscard]] std::vector<std::size_t> offsets(std::size_t fields) const;
};

/// A ghost cell with an owner: not beyond a boundary.
struct Ghost {
  std::size_t own;  // which of the own pieces
  std::size_t cell; // position in its extent
  Index3 index;
  Topology::Place place; // which block's cell it is
  std::size_t piece;     // that has this cell
};

/// All of this rank, in the order of pieces and cells. What a block has behind its sides, its
/// pieces have, too. Local.
[[nodiscard]] std::vector<Ghost> list_ghosts(const Blocks& blocks);

/// Fills ghost cells of some fields of all own pieces with the values of their owners: one message
/// per partner, for all of them.
class GhostExchange {
 public:
  /// Collective. A piece has `fields` arrays (see Blocks::offsets), of which `exchanged` travel.
  GhostExchange(const comm::Comm& comm, const Blocks& blocks, std::span<const Ghost> ghosts,
                std::size_t fields, std::span<const std::size_t> exchanged);

  /// Collective. `values` of all own pieces.
  void fill(std::span<double> values);

 private:
  struct Copy {
    LocalIndex from;
    LocalIndex to;
  };

  const comm::Comm& comm_;
  exchange::Halo halo_;
  std::vector<Copy> local_;   // owner and ghost are here
  std::vector<Copy> arrived_; // from the received values
  std::vector<double> received_;
};

} // namespace isthmus::flow
