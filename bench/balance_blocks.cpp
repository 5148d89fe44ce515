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
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

// An O-grid around a wing, 541 x 181 x 8 cells = 783,368, in 16 x 16 blocks of 1,536 to 10,752
// cells (7 times). Blocks are numbered outwards first. The rows of the large blocks are such that
// equal numbers of consecutive blocks are as uneven as the paper's times say (see README.md).
constexpr int around[] = {56, 46, 40, 36, 34, 32, 30, 28, 28, 29, 30, 31, 32, 33, 32, 24};
constexpr int outwards[] = {24, 24, 20, 13, 11, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
constexpr int along = 8;
constexpr int layers = 2; // of ghost cells
// Time of a ghost cell in units of a cell's: 7 equations of 9 snapshots are 504 B, 10 times in a
// step of 91 us per cell (2,220 s of 32 ranks for 1,000 steps), at 1 GB/s.
constexpr double ghost_cost = 0.055;

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

// METIS k-way with a tolerance of 10 %, as published: whole blocks, all edges alike.
std::vector<Piece> by_metis(const Multiblock& grid, int parts) {
  std::vector<Piece> pieces = whole_blocks(grid);
  Graph graph = graph_of(grid, pieces);
  graph.edge_weights.clear();
  const Parts of = divide(graph, parts, {.tolerances = {1.1}, .empty_parts = true});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].part = of[i];
  }
  return pieces;
}

// Fewest faces of cuts, each through a whole piece, that leave boxes of at most `most` cells.
class LeastCuts {
 public:
  explicit LeastCuts(GlobalIndex most) : most_(most) {}

  GlobalIndex operator()(const std::array<int, 3>& n) {
    if (GlobalIndex{n[0]} * n[1] * n[2] <= most_) {
      return 0;
    }
    if (const auto known = known_.find(n); known != known_.end()) {
      return known->second;
    }
    GlobalIndex least = std::numeric_limits<GlobalIndex>::max();
    for (std::size_t k = 0; k < 3; ++k) {
      const GlobalIndex plane = GlobalIndex{n[(k + 1) % 3]} * n[(k + 2) % 3];
      for (int at = 1; 2 * at <= n[k]; ++at) {
        std::array<int, 3> low = n;
        std::array<int, 3> high = n;
        low[k] = at;
        high[k] -= at;
        least = std::min(least, plane + (*this)(low) + (*this)(high));
      }
    }
    return known_[n] = least;
  }

 private:
  GlobalIndex most_;
  std::map<std::array<int, 3>, GlobalIndex> known_;
};

// Of ghost cells, where no part has more than 1.05 times the mean, however blocks are dealt.
double least_growth(const Multiblock& grid, int parts) {
  GlobalIndex cells = 0;
  GlobalIndex faces = 0;
  for (const Piece& block : whole_blocks(grid)) {
    cells += block.cells();
    faces += block.plane(0) + block.plane(1) + block.plane(2);
  }
  LeastCuts least(static_cast<GlobalIndex>(1.05 * static_cast<double>(cells) / parts));
  GlobalIndex cut = 0;
  for (const Block& block : grid.blocks) {
    cut += least(block.cells);
  }
  return static_cast<double>(cut) / static_cast<double>(faces);
}

template <typename Distribute>
void measure(const Multiblock& grid, const char* way, int ranks, Distribute&& distribute) {
  double seconds = std::numeric_limits<double>::infinity();
  std::vector<Piece> pieces;
  for (int i = 0; i < 3; ++i) {
    const double start = now();
    pieces = distribute();
    seconds = std::min(seconds, now() - start);
  }
  const BlockQuality q = assess_blocks(grid, pieces, ranks, layers, ghost_cost);
  fmt::print("{},{},{},{},{:.4f},{},{},{:.4f},{},{},{},{:.1f},{:.6f},{:.4f}\n", grid.blocks.size(),
             way, ranks, pieces.size(), q.imbalance, q.empty, q.ghosts, q.ghost_growth, q.received,
             q.most_received, q.most_partners, q.slowest, seconds, least_growth(grid, ranks));
}

} // namespace

void measure_blocks(std::span<const int> ranks) {
  fmt::print(
      "blocks,way,ranks,pieces,imbalance,empty,ghosts,ghost_growth,received,most_received,"
      "most_partners,slowest,seconds,least_growth\n");
  for (const int p : ranks) {
    // the second grid of the paper has 16,384 blocks
    const Multiblock grid = p <= 512 ? wing(1, 1) : wing(8, 8);
    const auto blocks = static_cast<int>(grid.blocks.size());
    const BlockSettings settings{.tolerance = p < blocks ? 1.02 : 1.05};
    measure(grid, "equal counts", p, [&] { return equal_counts(grid, p); });
    measure(grid, "METIS", p, [&] { return by_metis(grid, p); });
    measure(grid, "ours", p, [&] { return distribute_blocks(grid, p, settings); });
  }
}
