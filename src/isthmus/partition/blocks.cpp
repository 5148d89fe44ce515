// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/blocks.hpp"

#include <algorithm>
#include <numeric>
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

ContactFinder::ContactFinder(const Multiblock& grid) : grid_(grid), seams_(grid.seams) {
  std::stable_sort(seams_.begin(), seams_.end(),
                   [](const Seam& a, const Seam& b) { return a.low < b.low; });
}

std::vector<Contact> ContactFinder::find(std::span<const Piece> pieces) const {
  std::vector<int> order(pieces.size());
  std::iota(order.begin(), order.end(), 0);
  const auto block = [&](int piece) { return pieces[static_cast<std::size_t>(piece)].block; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return block(a) < block(b); });
  const auto of_block = [&](int wanted) {
    const auto begin = std::lower_bound(order.begin(), order.end(), wanted,
                                        [&](int piece, int value) { return block(piece) < value; });
    const auto end = std::upper_bound(begin, order.end(), wanted,
                                      [&](int value, int piece) { return value < block(piece); });
    return std::span(begin, end);
  };
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
  for (const int low : order) {
    const Piece& piece = pieces[static_cast<std::size_t>(low)];
    for (const int high : of_block(piece.block)) {
      for (int axis = 0; axis < 3; ++axis) {
        const int border = piece.end[static_cast<std::size_t>(axis)];
        add(low, high, axis, border, border);
      }
    }
    const auto& cells = grid_.blocks[static_cast<std::size_t>(piece.block)].cells;
    auto seam = std::lower_bound(seams_.begin(), seams_.end(), piece.block,
                                 [](const Seam& s, int value) { return s.low < value; });
    for (; seam != seams_.end() && seam->low == piece.block; ++seam) {
      for (const int high : of_block(seam->high)) {
        add(low, high, seam->axis, cells[static_cast<std::size_t>(seam->axis)], 0);
      }
    }
  }
  return found;
}

std::vector<Contact> contacts(const Multiblock& grid, std::span<const Piece> pieces) {
  return ContactFinder(grid).find(pieces);
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
