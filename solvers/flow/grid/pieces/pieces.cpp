// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/pieces/pieces.hpp"

#include "flow/multiblock/coarser.hpp"

#include <algorithm>
#include <optional>

namespace isthmus::flow {

PieceFinder::PieceFinder(std::span<const Piece> pieces, int num_blocks)
    : pieces_(pieces), first_(static_cast<std::size_t>(num_blocks) + 1) {
  for (const Piece& piece : pieces) {
    ++first_[static_cast<std::size_t>(piece.block) + 1];
  }
  for (std::size_t b = 1; b < first_.size(); ++b) {
    first_[b] += first_[b - 1];
  }
}

std::size_t PieceFinder::find(int block, const Index3& cell) const {
  const auto has = [&cell](const Piece& piece) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (cell[a] < piece.begin[a] || cell[a] >= piece.end[a]) {
        return false;
      }
    }
    return true;
  };
  const auto all = of(block);
  return static_cast<std::size_t>(std::find_if(all.begin(), all.end(), has) - pieces_.begin());
}

namespace {

/// Where the high end of one piece along an axis is the low end of another one.
std::optional<Cut> cut_between(std::span<const Piece> pieces, std::size_t low, std::size_t high,
                               std::size_t axis) {
  const Piece& below = pieces[low];
  const Piece& above = pieces[high];
  if (below.end[axis] != above.begin[axis]) {
    return {};
  }
  Cut cut{low, high, static_cast<int>(axis), {}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    cut.begin[a] = a == axis ? below.end[a] - 1 : std::max(below.begin[a], above.begin[a]);
    cut.end[a] = a == axis ? below.end[a] : std::min(below.end[a], above.end[a]);
    if (cut.begin[a] >= cut.end[a]) {
      return {};
    }
  }
  return cut;
}

} // namespace

std::vector<Cut> list_cuts(std::span<const Piece> pieces, int num_blocks) {
  const PieceFinder finder(pieces, num_blocks);
  std::vector<Cut> cuts;
  for (int block = 0; block < num_blocks; ++block) {
    const auto all = finder.of(block);
    const auto first = static_cast<std::size_t>(all.data() - pieces.data());
    for (std::size_t low = first; low < first + all.size(); ++low) {
      for (std::size_t high = first; high < first + all.size(); ++high) {
        for (std::size_t axis = 0; low != high && axis < 3; ++axis) {
          if (const auto cut = cut_between(pieces, low, high, axis)) {
            cuts.push_back(*cut);
          }
        }
      }
    }
  }
  return cuts;
}

std::vector<Piece> coarser(std::vector<Piece> pieces, bool is_flat) {
  for (Piece& piece : pieces) {
    for (std::size_t axis = 0; axis < num_halved(is_flat); ++axis) {
      piece.begin[axis] /= 2;
      piece.end[axis] /= 2;
    }
  }
  return pieces;
}

bool is_whole(const Topology& topology, const Piece& piece) {
  return piece.begin == Index3{0, 0, 0} && piece.end == topology.cells(piece.block);
}

} // namespace isthmus::flow
