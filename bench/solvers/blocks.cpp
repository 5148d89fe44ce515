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
#include <limits>
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

/// METIS, k-way and by bisection, with a tolerance of 2, 3 and 10 %, edges by faces and alike: the
/// most even of these.
std::vector<Piece> best_of_metis(const Topology& topology, const std::vector<double>& weights,
                                 int ranks, Dealing way) {
  std::vector<Piece> best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto method :
       {isthmus::partition::Method::kway, isthmus::partition::Method::recursive}) {
    for (const double tolerance : {1.02, 1.03, 1.10}) {
      for (const bool counts_faces : {true, false}) {
        DealSettings settings{.way = way, .counts_faces = counts_faces};
        settings.metis.method = method;
        settings.metis.tolerances = {tolerance};
        settings.metis.empty_parts = true; // some of these ways leave a rank without any
        std::vector<Piece> pieces = deal(topology, weights, ranks, settings);
        const double even = imbalance(topology, weights, pieces, ranks);
        if (even < least) {
          least = even;
          best = std::move(pieces);
        }
      }
    }
  }
  return best;
}

void print_ways(const Topology& topology, const std::vector<double>& weights, int ranks) {
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / ranks;
  const double least = std::max(1.0, *std::max_element(weights.begin(), weights.end()) / mean);
  const auto print = [&](const char* name, const std::vector<Piece>& pieces) {
    std::printf("%d,%s,%.6f,%.6f,%zu\n", ranks, name, imbalance(topology, weights, pieces, ranks),
                least, pieces.size());
  };
  print("count", deal(topology, weights, ranks, {.way = Dealing::count}));
  print("metis", best_of_metis(topology, weights, ranks, Dealing::metis));
  print("halves", best_of_metis(topology, weights, ranks, Dealing::metis_halves));
  print("whole", deal(topology, weights, ranks, {}));
  print("cut", deal(topology, weights, ranks, {.cuts = true}));
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
