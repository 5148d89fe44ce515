// SPDX-License-Identifier: BSD-3-Clause
// bench_blocks AROUND OUTWARDS RANKS…: how even the cells of ranks are that share the blocks of an
// O-grid, whose lengths are given as 56,46,…: lines of ranks, way, largest over mean cells of a
// rank, the least that whole blocks allow, pieces.
#include "flow/grid/pieces/dealing.hpp"
#include "flow/multiblock/shapes.hpp"
#include "flow/multiblock/topology.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace isthmus::flow;

namespace {

std::vector<int> numbers(const std::string& text) {
  std::vector<int> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    found.push_back(std::atoi(word.c_str()));
  }
  return found;
}

Topology o_grid(const std::vector<int>& around, const std::vector<int>& outwards) {
  Shape shape;
  shape.kind = "naca";
  shape.section = "0015";
  shape.first = 0.002;
  shape.lengths = {around, outwards, {1}};
  shape.blocks = {static_cast<int>(around.size()), static_cast<int>(outwards.size()), 1};
  const GridSource source = make_shape(shape);
  std::vector<std::array<SideShape, 6>> sides;
  for (std::size_t b = 0; b < source.cells.size(); ++b) {
    sides.push_back(side_shapes(source.load(static_cast<int>(b))));
  }
  return {source.cells, sides, {}, 1e-6};
}

void print_ways(const Topology& topology, const std::vector<double>& weights, int ranks) {
  const std::array ways{std::pair("count", DealSettings{.way = Dealing::count}),
                        std::pair("metis", DealSettings{.way = Dealing::metis}),
                        std::pair("halves", DealSettings{.way = Dealing::metis_halves}),
                        std::pair("whole", DealSettings{}),
                        std::pair("cut", DealSettings{.cuts = true})};
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / ranks;
  const double least = std::max(1.0, *std::max_element(weights.begin(), weights.end()) / mean);
  for (const auto& [name, settings] : ways) {
    const std::vector<Piece> pieces = deal(topology, weights, ranks, settings);
    std::printf("%d,%s,%.6f,%.6f,%zu\n", ranks, name, imbalance(topology, weights, pieces, ranks),
                least, pieces.size());
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("bench_blocks AROUND OUTWARDS RANKS…, as in 8,4 8,8 2 4\n", stderr);
    return 2;
  }
  const Topology topology = o_grid(numbers(argv[1]), numbers(argv[2]));
  std::vector<double> weights;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    weights.push_back(static_cast<double>(topology.num_cells(b)));
  }
  for (int a = 3; a < argc; ++a) {
    print_ways(topology, weights, std::atoi(argv[a]));
  }
  return 0;
}
