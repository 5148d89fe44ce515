// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/tetrahedra.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace isthmus::discrete {

namespace {

/// Corners of a cell: bit 0 is x, bit 1 is y, bit 2 is z.
using Corners = std::array<int, 4>;

constexpr std::array<Corners, 5> even_cell = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}}};
constexpr std::array<Corners, 5> odd_cell = {
    {{1, 0, 3, 5}, {2, 0, 6, 3}, {4, 0, 5, 6}, {7, 3, 6, 5}, {0, 3, 5, 6}}};
constexpr std::array<Corners, 6> kuhn_cell = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

std::span<const Corners> division(int tets_per_cell, int parity) {
  if (tets_per_cell == 6) {
    return kuhn_cell;
  }
  return parity == 0 ? even_cell : odd_cell;
}

/// Cells first…last of one axis.
struct Interval {
  int first, last;
  [[nodiscard]] int size() const { return last - first; }
};

Interval share(int cells, int parts, int part) {
  const Share own = share_of(part, parts, cells);
  return {static_cast<int>(own.first), static_cast<int>(own.first + own.count)};
}

std::array<Interval, 3> block_of(const TetBox& box, int parts, int part) {
  const std::array<int, 3> grid = block_grid(box, parts);
  return {share(box.cells[0], grid[0], part % grid[0]),
          share(box.cells[1], grid[1], part / grid[0] % grid[1]),
          share(box.cells[2], grid[2], part / grid[0] / grid[1])};
}

void add_nodes(TetMesh& mesh, const TetBox& box, const std::array<Interval, 3>& block) {
  const GlobalIndex row = box.cells[0] + 1;
  const GlobalIndex layer = row * (box.cells[1] + 1);
  const auto place = [&box](std::size_t axis, int i) {
    return box.lengths[axis] * i / box.cells[axis];
  };
  for (int k = block[2].first; k <= block[2].last; ++k) {
    for (int j = block[1].first; j <= block[1].last; ++j) {
      for (int i = block[0].first; i <= block[0].last; ++i) {
        mesh.node_ids.push_back(i + row * j + layer * k);
        mesh.coords.insert(mesh.coords.end(), {place(0, i), place(1, j), place(2, k)});
      }
    }
  }
}

void add_tets(TetMesh& mesh, const TetBox& box, const std::array<Interval, 3>& block) {
  const LocalIndex row = block[0].size() + 1;
  const LocalIndex layer = row * (block[1].size() + 1);
  for (int k = block[2].first; k < block[2].last; ++k) {
    for (int j = block[1].first; j < block[1].last; ++j) {
      for (int i = block[0].first; i < block[0].last; ++i) {
        const GlobalIndex cell =
            i + GlobalIndex{box.cells[0]} * (j + GlobalIndex{box.cells[1]} * k);
        const LocalIndex node =
            (i - block[0].first) + row * (j - block[1].first) + layer * (k - block[2].first);
        GlobalIndex id = cell * box.tets_per_cell;
        for (const Corners& corners : division(box.tets_per_cell, (i + j + k) % 2)) {
          std::array<LocalIndex, 4> tet{};
          for (std::size_t c = 0; c < 4; ++c) {
            tet[c] =
                node + (corners[c] & 1) + row * (corners[c] >> 1 & 1) + layer * (corners[c] >> 2);
          }
          mesh.tets.push_back(tet);
          mesh.tet_ids.push_back(id++);
        }
      }
    }
  }
}

} // namespace

GlobalIndex TetBox::num_nodes() const {
  return (GlobalIndex{cells[0]} + 1) * (cells[1] + 1) * (cells[2] + 1);
}

std::array<int, 3> block_grid(const TetBox& box, int parts) {
  std::array<int, 3> best = {parts, 1, 1};
  double least = std::numeric_limits<double>::infinity();
  for (int x = 1; x <= parts; ++x) {
    for (int y = 1; x * y <= parts; ++y) {
      if (parts % (x * y) != 0) {
        continue;
      }
      const int z = parts / (x * y);
      const auto cells = [&box](std::size_t axis) { return static_cast<double>(box.cells[axis]); };
      const double area = (x - 1) * cells(1) * cells(2) + (y - 1) * cells(0) * cells(2) +
                          (z - 1) * cells(0) * cells(1);
      const bool fits = x <= box.cells[0] && y <= box.cells[1] && z <= box.cells[2];
      if (fits && area < least) {
        least = area;
        best = {x, y, z};
      }
    }
  }
  return best;
}

TetMesh make_block(const TetBox& box, int parts, int part) {
  check(box.tets_per_cell == 5 || box.tets_per_cell == 6,
        "box of tetrahedra: a cell has 5 or 6 of them, not {}", box.tets_per_cell);
  check(box.cells[0] > 0 && box.cells[1] > 0 && box.cells[2] > 0,
        "box of tetrahedra: {} x {} x {} cells; give at least one along each axis", box.cells[0],
        box.cells[1], box.cells[2]);
  const std::array<Interval, 3> block = block_of(box, parts, part);
  const auto extent = [&block](std::size_t axis, int more) {
    return static_cast<std::size_t>(block[axis].size() + more);
  };
  const std::size_t cells = extent(0, 0) * extent(1, 0) * extent(2, 0);
  TetMesh mesh;
  if (cells > 0) {
    const std::size_t nodes = extent(0, 1) * extent(1, 1) * extent(2, 1);
    mesh.node_ids.reserve(nodes);
    mesh.coords.reserve(3 * nodes);
    mesh.tets.reserve(cells * static_cast<std::size_t>(box.tets_per_cell));
    mesh.tet_ids.reserve(mesh.tets.capacity());
    add_nodes(mesh, box, block);
    add_tets(mesh, box, block);
  }
  return mesh;
}

NodeGraph node_graph(const TetMesh& mesh) {
  std::vector<std::size_t> begins(mesh.num_nodes() + 1, 0); // of three neighbours for each tet
  for (const auto& tet : mesh.tets) {
    for (const LocalIndex node : tet) {
      begins[static_cast<std::size_t>(node) + 1] += 3;
    }
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<LocalIndex> all(begins.back());
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (const auto& tet : mesh.tets) {
    for (const LocalIndex node : tet) {
      for (const LocalIndex other : tet) {
        if (other != node) {
          all[next[static_cast<std::size_t>(node)]++] = other;
        }
      }
    }
  }
  NodeGraph graph{{0}, {}};
  graph.offsets.reserve(begins.size());
  for (std::size_t i = 0; i < mesh.num_nodes(); ++i) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(begins[i]);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]);
    std::sort(first, last);
    graph.neighbours.insert(graph.neighbours.end(), first, std::unique(first, last));
    graph.offsets.push_back(graph.neighbours.size());
  }
  return graph;
}

std::size_t NodeGraph::place_of(LocalIndex node, LocalIndex other) const {
  const auto begin = neighbours.begin();
  const auto row = static_cast<std::size_t>(node);
  const auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(offsets[row]),
                                   begin + static_cast<std::ptrdiff_t>(offsets[row + 1]), other);
  return static_cast<std::size_t>(at - begin);
}

TetMesh reorder(const TetMesh& mesh, std::span<const LocalIndex> order) {
  TetMesh result;
  std::vector<LocalIndex> numbers(order.size());
  for (const LocalIndex node : order) {
    const auto i = static_cast<std::size_t>(node);
    numbers[i] = static_cast<LocalIndex>(result.node_ids.size());
    result.node_ids.push_back(mesh.node_ids[i]);
    result.coords.insert(result.coords.end(),
                         {mesh.coords[3 * i], mesh.coords[3 * i + 1], mesh.coords[3 * i + 2]});
  }
  std::vector<std::array<LocalIndex, 4>> renumbered = mesh.tets;
  for (auto& tet : renumbered) {
    for (LocalIndex& node : tet) {
      node = numbers[static_cast<std::size_t>(node)];
    }
  }
  std::vector<std::size_t> sorted(mesh.tets.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  const auto lowest = [&renumbered](std::size_t t) {
    return *std::min_element(renumbered[t].begin(), renumbered[t].end());
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&lowest](std::size_t a, std::size_t b) { return lowest(a) < lowest(b); });
  for (const std::size_t t : sorted) {
    result.tets.push_back(renumbered[t]);
    result.tet_ids.push_back(mesh.tet_ids[t]);
  }
  return result;
}

LinearTet linear_tet(const TetMesh& mesh, const std::array<LocalIndex, 4>& tet) {
  std::array<std::array<double, 3>, 3> edges{};
  for (std::size_t e = 0; e < 3; ++e) {
    for (std::size_t c = 0; c < 3; ++c) {
      edges[e][c] = mesh.coords[3 * static_cast<std::size_t>(tet[e + 1]) + c] -
                    mesh.coords[3 * static_cast<std::size_t>(tet[0]) + c];
    }
  }
  LinearTet result{};
  double det = 0; // six times the volume, with a sign
  for (std::size_t e = 0; e < 3; ++e) {
    const auto& a = edges[(e + 1) % 3];
    const auto& b = edges[(e + 2) % 3];
    result.gradients[e + 1] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
  }
  for (std::size_t c = 0; c < 3; ++c) {
    det += edges[0][c] * result.gradients[1][c];
  }
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t e = 1; e < 4; ++e) {
      result.gradients[e][c] /= det;
      result.gradients[0][c] -= result.gradients[e][c];
    }
  }
  result.volume = std::abs(det) / 6;
  return result;
}

} // namespace isthmus::discrete
