// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/ghosts.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/la/global_ids.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isthmus::flow {

namespace {

/// Cells numbered by rank, then by piece, without ghosts.
class Numbering {
 public:
  explicit Numbering(const Blocks& blocks) : blocks_(blocks), first_(blocks.pieces.size()) {
    std::vector<std::size_t> order(blocks.pieces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&blocks](std::size_t a, std::size_t b) {
      return blocks.pieces[a].part < blocks.pieces[b].part;
    });
    GlobalIndex next = 0;
    for (const std::size_t piece : order) {
      first_[piece] = next;
      next += blocks.pieces[piece].cells();
    }
  }
  /// Of a cell of a block, which a piece has.
  [[nodiscard]] GlobalIndex of(std::size_t piece, const Index3& cell) const {
    const Piece& box = blocks_.pieces[piece];
    const GlobalIndex row =
        static_cast<GlobalIndex>(cell[2] - box.begin[2]) * box.length(1) + (cell[1] - box.begin[1]);
    return first_[piece] + row * box.length(0) + (cell[0] - box.begin[0]);
  }
  [[nodiscard]] GlobalIndex num_own() const {
    GlobalIndex count = 0;
    for (std::size_t own = 0; own < blocks_.own.size(); ++own) {
      count += blocks_.own_piece(own).cells();
    }
    return count;
  }
  /// Which of the own pieces has the own cell `number`, counted on this rank, and where.
  [[nodiscard]] std::pair<std::size_t, std::size_t> find_own(GlobalIndex number) const {
    std::size_t own = 0;
    while (number >= blocks_.own_piece(own).cells()) {
      number -= blocks_.own_piece(own).cells();
      ++own;
    }
    const Index3& n = blocks_.extents[own].counts();
    const auto row = number / n[0];
    return {own,
            blocks_.extents[own].at(static_cast<int>(number % n[0]), static_cast<int>(row % n[1]),
                                    static_cast<int>(row / n[1]))};
  }

 private:
  const Blocks& blocks_;
  std::vector<GlobalIndex> first_; // per piece
};

} // namespace

std::vector<std::size_t> Blocks::offsets(std::size_t fields) const {
  std::vector<std::size_t> begins{0};
  for (const Extent& extent : extents) {
    begins.push_back(begins.back() + fields * extent.stored());
  }
  return begins;
}

std::vector<Ghost> list_ghosts(const Blocks& blocks) {
  const PieceFinder pieces(blocks.pieces, blocks.topology.num_blocks());
  std::vector<Ghost> ghosts;
  for (std::size_t own = 0; own < blocks.own.size(); ++own) {
    const Extent& extent = blocks.extents[own];
    const Piece& piece = blocks.own_piece(own);
    extent.for_each([&](const Index3& cell) {
      if (extent.contains(cell)) {
        return;
      }
      if (const auto place = blocks.topology.find(piece.block, in_block(piece, cell))) {
        ghosts.push_back(
            {own, extent.at(cell), cell, *place, pieces.find(place->block, place->cell)});
      }
    });
  }
  return ghosts;
}

GhostExchange::GhostExchange(const comm::Comm& comm, const Blocks& blocks,
                             std::span<const Ghost> ghosts, std::size_t fields,
                             std::span<const std::size_t> exchanged)
    : comm_(comm) {
  const Numbering numbering(blocks);
  const auto offsets = blocks.offsets(fields);
  const auto position = [&](std::size_t own, std::size_t cell, std::size_t field) {
    return static_cast<LocalIndex>(offsets[own] + field * blocks.extents[own].stored() + cell);
  };
  std::vector<GlobalIndex> ids; // of cells of others
  for (const Ghost& ghost : ghosts) {
    if (blocks.pieces[ghost.piece].part != comm.rank()) {
      ids.push_back(numbering.of(ghost.piece, ghost.place.cell));
    }
  }
  sort_once(ids);
  const la::Range range = la::number(comm, numbering.num_own());
  const exchange::Halo cells = la::make_halo(comm, range, ids);

  const auto width = static_cast<LocalIndex>(exchanged.size());
  std::vector<exchange::Halo::Neighbour> targets;
  for (const auto& target : cells.targets()) {
    targets.push_back({target.rank, {}});
    for (const LocalIndex entry : target.entries) {
      const auto [own, cell] = numbering.find_own(entry);
      for (const std::size_t field : exchanged) {
        targets.back().entries.push_back(position(own, cell, field));
      }
    }
  }
  std::vector<exchange::Halo::Source> sources;
  for (const auto& source : cells.sources()) {
    sources.push_back({source.rank, source.count * width});
  }
  halo_ = exchange::Halo(std::move(targets), std::move(sources));
  halo_.reserve(1);
  received_.resize(static_cast<std::size_t>(halo_.num_ghosts()));

  for (const Ghost& ghost : ghosts) {
    const GlobalIndex id = numbering.of(ghost.piece, ghost.place.cell);
    const bool is_local = range.contains(id);
    const auto there =
        is_local ? numbering.find_own(id - range.first) : std::pair<std::size_t, std::size_t>{};
    const auto rank = std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    for (std::size_t k = 0; k < exchanged.size(); ++k) {
      const LocalIndex to = position(ghost.own, ghost.cell, exchanged[k]);
      if (is_local) {
        local_.push_back({position(there.first, there.second, exchanged[k]), to});
      } else {
        arrived_.push_back(
            {static_cast<LocalIndex>(rank) * width + static_cast<LocalIndex>(k), to});
      }
    }
  }
}

void GhostExchange::fill(std::span<double> values) {
  auto pending = halo_.begin_forward(comm_, 1, values, received_);
  for (const Copy& copy : local_) {
    values[static_cast<std::size_t>(copy.to)] = values[static_cast<std::size_t>(copy.from)];
  }
  pending.finish();
  for (const Copy& copy : arrived_) {
    values[static_cast<std::size_t>(copy.to)] = received_[static_cast<std::size_t>(copy.from)];
  }
}

} // namespace isthmus::flow
