// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

using namespace isthmus;
using partition::Adjacency;

namespace {

struct Graph {
  std::vector<std::size_t> offsets = {0};
  std::vector<LocalIndex> neighbours;

  explicit Graph(const std::vector<std::vector<LocalIndex>>& lists) {
    for (const auto& list : lists) {
      neighbours.insert(neighbours.end(), list.begin(), list.end());
      offsets.push_back(neighbours.size());
    }
  }
  [[nodiscard]] Adjacency view() const { return {offsets, neighbours}; }
};

struct Grid {
  std::vector<double> coords;
  Graph graph;
};

/// Points of an nx × ny × nz grid in random order, joined along the axes.
Grid shuffled_grid(int nx, int ny, int nz, unsigned seed) {
  const int n = nx * ny * nz;
  std::vector<LocalIndex> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(seed));
  std::vector<double> coords(static_cast<std::size_t>(3 * n));
  std::vector<std::vector<LocalIndex>> lists(static_cast<std::size_t>(n));
  const auto at = [&](int i, int j, int k) {
    return static_cast<std::size_t>(number[static_cast<std::size_t>(i + nx * (j + ny * k))]);
  };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const std::size_t node = at(i, j, k);
        coords[3 * node] = i;
        coords[3 * node + 1] = j;
        coords[3 * node + 2] = k;
        for (const auto [di, dj, dk] : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
          if (i + di < nx && j + dj < ny && k + dk < nz) {
            const std::size_t other = at(i + di, j + dj, k + dk);
            lists[node].push_back(static_cast<LocalIndex>(other));
            lists[other].push_back(static_cast<LocalIndex>(node));
          }
        }
      }
    }
  }
  return {coords, Graph(lists)};
}

bool is_permutation(std::vector<LocalIndex> order, std::size_t size) {
  std::sort(order.begin(), order.end());
  std::vector<LocalIndex> all(size);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

} // namespace

TEST_CASE("reverse Cuthill-McKee unrolls a shuffled path and a comb") {
  const Graph path({{3}, {4, 2}, {1, 5}, {0, 4}, {3, 1}, {2}}); // 0 3 4 1 2 5
  const auto order = partition::reverse_cuthill_mckee(path.view());
  CHECK((order == std::vector<LocalIndex>{5, 2, 1, 4, 3, 0} ||
         order == std::vector<LocalIndex>{0, 3, 4, 1, 2, 5}));
  const partition::OrderReport found = partition::report(path.view(), order);
  CHECK(found.bandwidth == 1);
  CHECK(found.profile == 5);
  CHECK(found.mean_distance == 1);
}

TEST_CASE("orders contain every node once, of graphs in pieces and of none") {
  const Graph pieces({{}, {2}, {1}, {}, {5, 6}, {4}, {4}});
  for (const auto& order :
       {partition::reverse_cuthill_mckee(pieces.view()),
        partition::levels_along_hilbert(
            pieces.view(), 2, std::vector<double>{0, 0, 1, 0, 1, 1, 3, 3, 0, 2, 5, 1, 2, 2})}) {
    CHECK(is_permutation(order, 7));
  }
  CHECK(partition::reverse_cuthill_mckee({}).empty());
  CHECK(partition::hilbert_order(3, {}).empty());
  CHECK(is_permutation(partition::hilbert_order(2, std::vector<double>{1, 1, 1, 1, 1, 1}), 3));
}

TEST_CASE("the bandwidth of a long grid is that of its cross-section") {
  const Grid grid = shuffled_grid(30, 4, 3, 1);
  const Adjacency graph = grid.graph.view();
  std::vector<LocalIndex> shuffled(graph.size());
  std::iota(shuffled.begin(), shuffled.end(), 0);
  const auto before = partition::report(graph, shuffled);
  CHECK(before.bandwidth > 200);
  for (const auto& order : {partition::reverse_cuthill_mckee(graph),
                            partition::levels_along_hilbert(graph, 3, grid.coords)}) {
    REQUIRE(is_permutation(order, graph.size()));
    const auto after = partition::report(graph, order);
    CHECK(after.bandwidth <= 2 * 12);
    CHECK(after.profile < before.profile / 5);
  }
}

TEST_CASE("the Hilbert curve of a full grid passes from neighbour to neighbour") {
  const Grid cube = shuffled_grid(8, 8, 8, 2);
  const auto order = partition::hilbert_order(3, cube.coords);
  REQUIRE(is_permutation(order, 512));
  const Grid square = shuffled_grid(16, 16, 1, 3);
  std::vector<double> flat;
  for (std::size_t i = 0; i < square.coords.size(); i += 3) {
    flat.insert(flat.end(), {square.coords[i], square.coords[i + 1]});
  }
  const auto check_steps = [](int dim, const std::vector<double>& coords,
                              const std::vector<LocalIndex>& along) {
    int jumps = 0;
    for (std::size_t k = 1; k < along.size(); ++k) {
      double step = 0;
      for (int c = 0; c < dim; ++c) {
        step += std::abs(coords[static_cast<std::size_t>(dim * along[k] + c)] -
                         coords[static_cast<std::size_t>(dim * along[k - 1] + c)]);
      }
      jumps += step != 1 ? 1 : 0;
    }
    CHECK(jumps == 0);
  };
  check_steps(3, cube.coords, order);
  check_steps(2, flat, partition::hilbert_order(2, flat));
}

TEST_CASE("inverse undoes an order") {
  CHECK(partition::inverse(std::vector<LocalIndex>{2, 0, 1}) == std::vector<LocalIndex>{1, 2, 0});
}
