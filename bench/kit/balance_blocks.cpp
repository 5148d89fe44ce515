// SPDX-License-Identifier: BSD-3-Clause
#include "balance_blocks.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/partition/blocks.hpp"
#include "isthmus/partition/multilevel/divide.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

// An O-grid around a wing, made up: 541 x 181 x 8 cells = 783,368, as many as in the publication,
// in 16 x 16 blocks of 1,536 to 10,752 cells (7 times). Blocks are numbered outwards first.
constexpr int around[] = {56, 46, 40, 36, 34, 32, 30, 28, 28, 29, 30, 31, 32, 33, 32, 24};
constexpr int outwards[] = {24, 24, 20, 13, 11, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
constexpr int along = 8;
constexpr int layers = 2; // of ghost cells

// With `columns` times `rows` of these blocks.
Multiblock wing(int columns, int rows) {
  static_assert(std::accumulate(std::begin(around), std::end(around), 0) == 541);
  static_assert(std::accumulate(std::begin(outwards), std::end(outwards), 0) == 181);
  Multiblock grid;
  const int n = 16 * columns;
  const int m = 16 * rows;
  double turned = 0.0; // cells
  for (int a = 0; a < n; ++a) {
    double radius = 20.0 * columns; // cells
    for (int b = 0; b < m; ++b) {
      const double angle =
          2.0 * std::numbers::pi * (turned + 0.5 * around[a % 16]) / (541 * columns);
      const double r = radius + 0.5 * outwards[b % 16];
      grid.blocks.push_back({{around[a % 16], outwards[b % 16], along},
                             {r * std::cos(angle), r * std::sin(angle), 0.0}});
      radius += outwards[b % 16];
      grid.seams.push_back({a * m + b, (a + 1) % n * m + b, 0});
      if (b + 1 < m) {
        grid.seams.push_back({a * m + b, a * m + b + 1, 1});
      }
    }
    turned += around[a % 16];
  }
  return grid;
}

// Equal numbers of consecutive blocks, one more for the first ranks.
std::vector<Piece> equal_counts(const Multiblock& grid, int parts) {
  std::vector<Piece> pieces = whole_blocks(grid);
  const auto count = static_cast<int>(pieces.size());
  const int extra = count % parts;
  int at = 0;
  for (int part = 0; part < parts; ++part) {
    const int end = at + count / parts + (part < extra ? 1 : 0);
    for (; at < end; ++at) {
      pieces[static_cast<std::size_t>(at)].part = part;
    }
  }
  return pieces;
}

/// Halves across the longest axis.
std::array<Piece, 2> halves(const Piece& piece) {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    axis = piece.end[k] - piece.begin[k] > piece.end[axis] - piece.begin[axis] ? k : axis;
  }
  std::array<Piece, 2> both{piece, piece};
  both[0].end[axis] = both[1].begin[axis] = (piece.begin[axis] + piece.end[axis]) / 2;
  return both;
}

/// Blocks are halved until none has more than a quarter of what a part gets.
std::vector<Piece> cut_blocks(const Multiblock& grid, int parts) {
  std::vector<Piece> pieces = whole_blocks(grid);
  GlobalIndex cells = 0;
  for (const Piece& piece : pieces) {
    cells += piece.cells();
  }
  for (std::size_t k = 0; k < pieces.size();) {
    if (4 * parts * pieces[k].cells() > cells && pieces[k].cells() > 1) {
      const std::array<Piece, 2> both = halves(pieces[k]);
      pieces[k] = both[0];
      pieces.push_back(both[1]);
    } else {
      ++k;
    }
  }
  return pieces;
}

/// METIS k-way, all edges alike.
std::vector<Piece> by_metis(const Multiblock& grid, std::vector<Piece> pieces, int parts,
                            double tolerance) {
  Graph graph = graph_of(grid, pieces);
  graph.edge_weights.clear();
  const Parts of = divide(graph, parts, {.tolerances = {tolerance}, .empty_parts = true});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].part = of[i];
  }
  return pieces;
}

template <typename Distribute>
void measure(const Multiblock& grid, const std::string& way, int ranks, Distribute&& distribute) {
  double seconds = std::numeric_limits<double>::infinity();
  std::vector<Piece> pieces;
  for (int i = 0; i < 3; ++i) {
    const double start = now();
    pieces = distribute();
    seconds = std::min(seconds, now() - start);
  }
  const BlockQuality q = assess_blocks(grid, pieces, ranks, layers, 0);
  fmt::print("{},{},{},{},{:.4f},{},{},{:.4f},{},{},{},{:.6f}\n", grid.blocks.size(), way, ranks,
             pieces.size(), q.imbalance, q.empty, q.ghosts, q.ghost_growth, q.received,
             q.most_received, q.most_partners, seconds);
}

/// The published tolerance, 10 %, and that of ours: neither leaves all of these blocks more even.
void measure_metis(const Multiblock& grid, const char* pieces_are, int ranks,
                   const std::vector<Piece>& pieces) {
  for (const int percent : {2, 10}) {
    measure(grid, fmt::format("METIS {} {} %", pieces_are, percent), ranks,
            [&] { return by_metis(grid, pieces, ranks, 1 + 0.01 * percent); });
  }
}

} // namespace

void measure_blocks(std::span<const int> ranks) {
  fmt::print(
      "blocks,way,ranks,pieces,imbalance,empty,ghosts,ghost_growth,received,most_received,"
      "most_partners,seconds\n");
  for (const int p : ranks) {
    // the second grid of the paper has 16,384 blocks
    const Multiblock grid = p <= 512 ? wing(1, 1) : wing(8, 8);
    const auto blocks = static_cast<int>(grid.blocks.size());
    const BlockSettings settings{.tolerance = p < blocks ? 1.02 : 1.05};
    measure(grid, "equal counts", p, [&] { return equal_counts(grid, p); });
    if (p <= blocks) { // fewer whole blocks than parts leave parts empty
      measure_metis(grid, "whole blocks", p, whole_blocks(grid));
      measure(grid, "ours whole blocks", p, [&] {
        return distribute_blocks(grid, p, {.tolerance = settings.tolerance, .split = false});
      });
    }
    measure(grid, "ours blocks cut", p, [&] { return distribute_blocks(grid, p, settings); });
    measure_metis(grid, "blocks cut in halves", p, cut_blocks(grid, p));
    measure_metis(grid, "blocks cut as ours", p, distribute_blocks(grid, p, settings));
  }
}
