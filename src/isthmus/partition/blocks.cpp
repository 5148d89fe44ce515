// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/blocks.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace isthmus::partition {

namespace {

// Cells that two boxes share in both axes other than `axis`.
GlobalIndex overlap(const Piece& x, const Piece& y, int axis) {
  GlobalIndex area = 1;
  for (int k = 0; k < 3; ++k) {
    if (k != axis) {
      const auto d = static_cast<std::size_t>(k);
      area *= std::max(0, std::min(x.end[d], y.end[d]) - std::max(x.begin[d], y.begin[d]));
    }
  }
  return area;
}

std::vector<std::vector<int>> by_block(const Multiblock& grid, std::span<const Piece> pieces) {
  std::vector<std::vector<int>> result(grid.blocks.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    result[static_cast<std::size_t>(pieces[i].block)].push_back(static_cast<int>(i));
  }
  return result;
}

GlobalIndex surface(std::span<const Piece> pieces) {
  GlobalIndex sum = 0;
  for (const Piece& piece : pieces) {
    sum += 2 * (piece.plane(0) + piece.plane(1) + piece.plane(2));
  }
  return sum;
}

} // namespace

std::vector<Piece> whole_blocks(const Multiblock& grid) {
  std::vector<Piece> pieces;
  for (std::size_t b = 0; b < grid.blocks.size(); ++b) {
    pieces.push_back({static_cast<int>(b), {0, 0, 0}, grid.blocks[b].cells});
  }
  return pieces;
}

std::vector<Contact> contacts(const Multiblock& grid, std::span<const Piece> pieces) {
  const std::vector<std::vector<int>> of_block = by_block(grid, pieces);
  std::vector<Contact> found;
  const auto add = [&](int low, int high, int axis, int border, int first) {
    const auto k = static_cast<std::size_t>(axis);
    const Piece& x = pieces[static_cast<std::size_t>(low)];
    const Piece& y = pieces[static_cast<std::size_t>(high)];
    if (low != high && x.end[k] == border && y.begin[k] == first) {
      const GlobalIndex area = overlap(x, y, axis);
      if (area > 0) {
        found.push_back({low, high, axis, area});
      }
    }
  };
  for (const std::vector<int>& own : of_block) {
    for (const int low : own) {
      for (const int high : own) {
        for (int axis = 0; axis < 3; ++axis) {
          const int border =
              pieces[static_cast<std::size_t>(low)].end[static_cast<std::size_t>(axis)];
          add(low, high, axis, border, border);
        }
      }
    }
  }
  for (const Seam& seam : grid.seams) {
    const auto a = static_cast<std::size_t>(seam.low);
    const int border = grid.blocks[a].cells[static_cast<std::size_t>(seam.axis)];
    for (const int low : of_block[a]) {
      for (const int high : of_block[static_cast<std::size_t>(seam.high)]) {
        add(low, high, seam.axis, border, 0);
      }
    }
  }
  return found;
}

Graph graph_of(const Multiblock& grid, std::span<const Piece> pieces) {
  std::vector<Edge> edges;
  for (const Contact& contact : contacts(grid, pieces)) {
    edges.push_back({contact.low, contact.high, contact.area});
  }
  Graph graph = make_graph(pieces.size(), edges);
  for (const Piece& piece : pieces) {
    graph.weights.push_back(piece.cells());
  }
  return graph;
}

BlockQuality assess_blocks(const Multiblock& grid, std::span<const Piece> pieces, int parts,
                           int layers, double ghost_cost) {
  std::vector<GlobalIndex> cells(static_cast<std::size_t>(parts), 0);
  std::vector<GlobalIndex> received(cells.size(), 0);
  std::set<std::pair<int, int>> partners;
  GlobalIndex total = 0;
  for (const Piece& piece : pieces) {
    cells[static_cast<std::size_t>(piece.part)] += piece.cells();
    total += piece.cells();
  }
  for (const Contact& contact : contacts(grid, pieces)) {
    const int x = pieces[static_cast<std::size_t>(contact.low)].part;
    const int y = pieces[static_cast<std::size_t>(contact.high)].part;
    if (x != y) {
      received[static_cast<std::size_t>(x)] += layers * contact.area;
      received[static_cast<std::size_t>(y)] += layers * contact.area;
      partners.insert({x, y});
      partners.insert({y, x});
    }
  }
  BlockQuality quality{};
  std::vector<int> counts(cells.size(), 0);
  for (const auto& [part, other] : partners) {
    ++counts[static_cast<std::size_t>(part)];
  }
  quality.most_partners = *std::max_element(counts.begin(), counts.end());
  quality.most_cells = *std::max_element(cells.begin(), cells.end());
  quality.imbalance = static_cast<double>(quality.most_cells) * parts / static_cast<double>(total);
  quality.empty = static_cast<int>(std::count(cells.begin(), cells.end(), 0));
  quality.ghosts = layers * surface(pieces);
  quality.ghost_growth = static_cast<double>(quality.ghosts) /
                             static_cast<double>(layers * surface(whole_blocks(grid))) -
                         1.0;
  for (std::size_t p = 0; p < cells.size(); ++p) {
    quality.received += received[p];
    quality.most_received = std::max(quality.most_received, received[p]);
    quality.slowest = std::max(quality.slowest, static_cast<double>(cells[p]) +
                                                    ghost_cost * static_cast<double>(received[p]));
  }
  return quality;
}

} // namespace isthmus::partition
