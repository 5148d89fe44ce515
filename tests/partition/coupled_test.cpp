// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/coupled.hpp"

#include "isthmus/base/exception.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

// Two boxes; the last plane of a in x meets the first of b. Each cell of b at the face is linked to
// the cell of a that contains its centre.
CoupledGraphs boxes(int na, int nb) {
  CoupledGraphs graphs{graphs::grid(6, na, na), graphs::grid(5, nb, nb), {}, 3, {}};
  for (int k = 0; k < na; ++k) {
    for (int j = 0; j < na; ++j) {
      for (int i = 0; i < 6; ++i) {
        graphs.coords.insert(graphs.coords.end(), {i - 6.0, (j + 0.5) / na, (k + 0.5) / na});
      }
    }
  }
  for (int k = 0; k < nb; ++k) {
    for (int j = 0; j < nb; ++j) {
      const GlobalIndex ja = (2 * j + 1) * na / (2 * nb);
      const GlobalIndex ka = (2 * k + 1) * na / (2 * nb);
      graphs.links.push_back({(ka * na + ja) * 6 + 5, (static_cast<GlobalIndex>(k) * nb + j) * 5});
    }
  }
  return graphs;
}

} // namespace

TEST_CASE("parts of two codes that exchange values meet in a chain" * on_ranks(1, 1)) {
  for (const auto& [na, nb, p, q] : std::vector<std::array<int, 4>>{
           {12, 12, 4, 4}, {12, 15, 6, 9}, {16, 13, 5, 7}, {8, 8, 1, 3}}) {
    const CoupledGraphs graphs = boxes(na, nb);
    const CoupledParts of = divide_coupled(graphs, p, q, 1.05);
    const CouplingQuality quality = assess_coupling(graphs, of, p, q);
    CAPTURE(p);
    CAPTURE(q);
    CHECK(quality.pairs <= p + q - 1);
    CHECK(quality.interface_a < 1.0 + static_cast<double>(p) / (na * na) + 0.02);
    CHECK(quality.interface_b < 1.0 + static_cast<double>(q) / (nb * nb) + 0.05);
    CHECK(quality.imbalance_a < 1.08);
    CHECK(quality.imbalance_b < 1.08);
    const CoupledParts again = divide_coupled(graphs, p, q, 1.05);
    CHECK(again.a == of.a);
    CHECK(again.b == of.b);
  }
}

TEST_CASE("equal parts of equally dense sides meet one to one" * on_ranks(1, 1)) {
  const CoupledGraphs graphs = boxes(16, 16);
  const CoupledParts of = divide_coupled(graphs, 8, 8);
  CHECK(assess_coupling(graphs, of, 8, 8).pairs == 8);
  for (const Edge& link : graphs.links) {
    CHECK(of.a[static_cast<std::size_t>(link.a)] == of.b[static_cast<std::size_t>(link.b)]);
  }
}

TEST_CASE("codes without an interface are divided each for itself" * on_ranks(1, 1)) {
  CoupledGraphs graphs = boxes(8, 8);
  graphs.links.clear();
  const CouplingQuality quality = assess_coupling(graphs, divide_coupled(graphs, 3, 4), 3, 4);
  CHECK(quality.pairs == 0);
  CHECK(quality.interface_a == 1.0);
  CHECK(quality.imbalance_a < 1.1);
}

TEST_CASE("fixed vertices keep their part" * on_ranks(1, 1)) {
  const Graph graph = graphs::grid(10, 10, 4);
  Parts fixed(400, -1);
  for (std::size_t v = 0; v < 400; v += 10) {
    fixed[v] = static_cast<int>(v / 100);
  }
  const Parts of = divide_around(graph, 4, fixed, 1.05);
  std::vector<int> counts(4, 0);
  for (std::size_t v = 0; v < of.size(); ++v) {
    CHECK((fixed[v] < 0 || of[v] == fixed[v]));
    ++counts.at(static_cast<std::size_t>(of[v]));
  }
  CHECK(*std::max_element(counts.begin(), counts.end()) < 110);
  fixed[0] = 4;
  CHECK_THROWS_WITH_AS((void)divide_around(graph, 4, fixed), "a vertex is fixed in part 4 of 4",
                       Error);
}

TEST_CASE("links to vertices that do not exist are refused" * on_ranks(1, 1)) {
  CoupledGraphs graphs = boxes(4, 4);
  graphs.links.push_back({7, 80});
  CHECK_THROWS_WITH_AS((void)divide_coupled(graphs, 2, 2),
                       "there is no link from vertex 7 of 96 to vertex 80 of 80", Error);
  graphs.links.clear();
  CHECK_THROWS_WITH_AS((void)divide_coupled(graphs, 0, 2),
                       "0 and 2 parts are asked for; 1 is the least", Error);
}
