// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/topology.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// The blocks of all ranks, and those of this one.
struct Blocks {
  Topology topology;
  std::vector<int> owners;     // per block
  std::vector<int> own;        // ascending
  std::vector<Extent> extents; // of the own ones

  /// Where values of own blocks begin if a block has `fields` arrays of stored() values each, one
  /// behind the other; their number at the end.
  [[nodiscard]] std::vector<std::size_t> offsets(std::size_t fields) const;
};

/// A ghost cell with an owner: not beyond a boundary.
struct Ghost {
  std::size_t own;  // which of the own blocks
  std::size_t cell; // position in its extent
  Index3 index;
  Topology::Place place; // whose cell it is
};

/// All of this rank, in the order of blocks and cells. Local.
[[nodiscard]] std::vector<Ghost> list_ghosts(const Blocks& blocks);

/// Fills ghost cells of some fields of all own blocks with the values of their owners: one message
/// per partner, for all blocks.
class GhostExchange {
 public:
  /// Collective. A block has `fields` arrays (see Blocks::offsets), of which `exchanged` travel.
  GhostExchange(const comm::Comm& comm, const Blocks& blocks, std::span<const Ghost> ghosts,
                std::size_t fields, std::span<const std::size_t> exchanged);

  /// Collective. `values` of all own blocks.
  void fill(std::span<double> values);

  /// Messages that this rank sends in fill().
  [[nodiscard]] std::size_t num_partners() const { return halo_.targets().size(); }

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
