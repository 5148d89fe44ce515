// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/blocks.hpp"

#include "isthmus/base/exception.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

// Blocks in two or three directions with these numbers of cells, around in the first one.
Multiblock ring(const std::vector<int>& ni, const std::vector<int>& nj, int nk) {
  Multiblock grid;
  const auto rows = static_cast<int>(nj.size());
  const auto columns = static_cast<int>(ni.size());
  for (int a = 0; a < columns; ++a) {
    for (int b = 0; b < rows; ++b) {
      const double angle = 6.28 * a / columns;
      const double r = 1.0 + b;
      grid.blocks.push_back({{ni[static_cast<std::size_t>(a)], nj[static_cast<std::size_t>(b)], nk},
                             {r * std::cos(angle), r * std::sin(angle), 0.0}});
      grid.seams.push_back({a * rows + b, (a + 1) % columns * rows + b, 0});
      if (b + 1 < rows) {
        grid.seams.push_back({a * rows + b, a * rows + b + 1, 1});
      }
    }
  }
  return grid;
}

Multiblock uneven() {
  return ring({40, 31, 17, 12, 11, 23}, {21, 13, 8, 7}, 6);
}

// Every cell of every block is in exactly one piece.
bool tiles(const Multiblock& grid, const std::vector<Piece>& pieces) {
  std::vector<std::vector<int>> seen;
  for (const Block& block : grid.blocks) {
    seen.emplace_back(static_cast<std::size_t>(block.cells[0] * block.cells[1] * block.cells[2]),
                      0);
  }
  for (const Piece& piece : pieces) {
    const auto b = static_cast<std::size_t>(piece.block);
    const auto& n = grid.blocks[b].cells;
    for (int k = piece.begin[2]; k < piece.end[2]; ++k) {
      for (int j = piece.begin[1]; j < piece.end[1]; ++j) {
        for (int i = piece.begin[0]; i < piece.end[0]; ++i) {
          ++seen[b].at(static_cast<std::size_t>((k * n[1] + j) * n[0] + i));
        }
      }
    }
  }
  return std::all_of(seen.begin(), seen.end(), [](const std::vector<int>& cells) {
    return std::all_of(cells.begin(), cells.end(), [](int count) { return count == 1; });
  });
}

// Ghost cells that parts receive, cell by cell.
GlobalIndex received(const Multiblock& grid, const std::vector<Piece>& pieces) {
  const auto part_of = [&](int block, std::array<int, 3> cell) {
    for (const Piece& piece : pieces) {
      bool inside = piece.block == block;
      for (std::size_t d = 0; d < 3; ++d) {
        inside = inside && piece.begin[d] <= cell[d] && cell[d] < piece.end[d];
      }
      if (inside) {
        return piece.part;
      }
    }
    return -1;
  };
  GlobalIndex sum = 0;
  for (const Piece& piece : pieces) {
    const auto& n = grid.blocks[static_cast<std::size_t>(piece.block)].cells;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::size_t e = (d + 1) % 3;
      const std::size_t f = (d + 2) % 3;
      for (int y = piece.begin[e]; y < piece.end[e]; ++y) {
        for (int z = piece.begin[f]; z < piece.end[f]; ++z) {
          std::array<int, 3> next{};
          next[d] = piece.end[d];
          next[e] = y;
          next[f] = z;
          int block = piece.block;
          if (next[d] == n[d]) {
            const auto seam = std::find_if(
                grid.seams.begin(), grid.seams.end(),
                [&](const Seam& s) { return s.low == block && s.axis == static_cast<int>(d); });
            if (seam == grid.seams.end()) {
              continue;
            }
            block = seam->high;
            next[d] = 0;
          }
          sum += part_of(block, next) != piece.part ? 2 : 0;
        }
      }
    }
  }
  return sum;
}

} // namespace

TEST_CASE("blocks on any number of parts keep every cell once and the balance" * on_ranks(1, 1)) {
  const Multiblock grid = uneven();
  for (int parts = 1; parts <= 130; ++parts) {
    CAPTURE(parts);
    const std::vector<Piece> pieces = distribute_blocks(grid, parts, {.tolerance = 1.03});
    REQUIRE(tiles(grid, pieces));
    const BlockQuality quality = assess_blocks(grid, pieces, parts);
    CHECK(quality.empty == 0);
    CHECK(pieces.size() < grid.blocks.size() + static_cast<std::size_t>(parts));
    CHECK(quality.imbalance < (parts <= 24 ? 1.035 : parts <= 48 ? 1.06 : 1.15));
    CHECK(quality.ghost_growth <= 0.012 * parts);
  }
}

TEST_CASE("few parts of many blocks need hardly any cut" * on_ranks(1, 1)) {
  const Multiblock grid = ring(std::vector<int>(16, 9), std::vector<int>(16, 7), 5);
  for (const int parts : {2, 4, 8, 16, 32}) {
    const std::vector<Piece> pieces = distribute_blocks(grid, parts);
    CHECK(pieces.size() == 256);
    CHECK(assess_blocks(grid, pieces, parts).imbalance == 1.0);
  }
}

TEST_CASE("ghost cells between parts are those that a count of all faces finds" * on_ranks(1, 1)) {
  const Multiblock grid = uneven();
  for (const int parts : {3, 10, 24, 40}) {
    const std::vector<Piece> pieces = distribute_blocks(grid, parts);
    CHECK(assess_blocks(grid, pieces, parts).received == received(grid, pieces));
    CHECK(assess_blocks(grid, pieces, parts, 2).received == 2 * received(grid, pieces));
  }
}

TEST_CASE("whole blocks stay whole where nothing may be cut" * on_ranks(1, 1)) {
  const Multiblock grid = uneven();
  for (int parts = 1; parts <= 24; ++parts) {
    const std::vector<Piece> pieces = distribute_blocks(grid, parts, {.split = false});
    CHECK(pieces.size() == 24);
    const BlockQuality quality = assess_blocks(grid, pieces, parts);
    CHECK(quality.empty == 0);
    CHECK(quality.ghost_growth == 0.0);
  }
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 25, {.split = false}),
                       "25 parts are asked for of 24 blocks; ask for fewer", Error);
}

TEST_CASE("every part gets a whole block where there are hardly more blocks than parts") {
  // large blocks on one side, so that the balance alone would leave too few for the other one
  const std::vector<int> columns{90, 70, 50, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
  const Multiblock grid = ring(columns, {24, 24, 20, 13, 11, 9, 8, 8, 8, 8, 8, 8}, 8);
  const auto blocks = static_cast<int>(grid.blocks.size());
  for (const int parts : {blocks / 2, 3 * blocks / 4, blocks - 1, blocks}) {
    std::set<int> used;
    for (const Piece& piece : distribute_blocks(grid, parts, {.split = false})) {
      used.insert(piece.part);
    }
    CHECK(static_cast<int>(used.size()) == parts);
  }
}

TEST_CASE("as many parts as cells are single cells" * on_ranks(1, 1)) {
  const Multiblock grid{{{{3, 2, 2}, {0, 0, 0}}, {{1, 2, 2}, {1, 0, 0}}}, {{0, 1, 0}}};
  const std::vector<Piece> pieces = distribute_blocks(grid, 16);
  CHECK(pieces.size() == 16);
  CHECK(tiles(grid, pieces));
  CHECK(assess_blocks(grid, pieces, 16).imbalance == 1.0);
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 17),
                       "17 parts are asked for of 16 cells; ask for fewer", Error);
}

TEST_CASE("blocks that do not fit together are refused" * on_ranks(1, 1)) {
  Multiblock grid = uneven();
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 0), "0 parts are asked for; 1 is the least",
                       Error);
  grid.seams.push_back({0, 1, 0});
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 2),
                       "blocks 0 and 1 meet along axis 0 with 21 and 13 cells along axis 1", Error);
  grid.seams.back() = {0, 24, 0};
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 2),
                       "a seam joins block 0 and block 24 of 24 along axis 0", Error);
  grid = {{{{3, 0, 2}, {}}}, {}};
  CHECK_THROWS_WITH_AS((void)distribute_blocks(grid, 2), "block 0 has 3 x 0 x 2 cells", Error);
}
