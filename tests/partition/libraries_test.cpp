// SPDX-License-Identifier: BSD-3-Clause
// METIS and Scotch behind the form of graphs that all ways to divide share.
#include "isthmus/partition/multilevel/metis.hpp"
#include "isthmus/partition/multilevel/scotch.hpp"
#include "message_of.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

/// Cliques of `size` vertices, each joined to the next one by a single edge: cut those, and each is
/// a part.
Graph chain_of_cliques(int cliques, int size) {
  std::vector<Edge> edges;
  for (int c = 0; c < cliques; ++c) {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < i; ++j) {
        edges.push_back({c * size + i, c * size + j});
      }
    }
    if (c > 0) {
      edges.push_back({c * size - 1, c * size});
    }
  }
  return make_graph(static_cast<std::size_t>(cliques * size), edges);
}

/// Whether the parts are the cliques, under any numbers.
bool are_cliques(const Parts& of, int cliques, int size) {
  std::set<int> used;
  for (int c = 0; c < cliques; ++c) {
    const auto begin = of.begin() + c * size;
    if (std::count(begin, begin + size, *begin) != size) {
      return false;
    }
    used.insert(*begin);
  }
  return used.size() == static_cast<std::size_t>(cliques);
}

std::vector<GlobalIndex> loads_of(const Graph& graph, const Parts& of, int parts) {
  std::vector<GlobalIndex> loads(static_cast<std::size_t>(parts), 0);
  for (std::size_t v = 0; v < of.size(); ++v) {
    loads.at(static_cast<std::size_t>(of[v])) += graph.weight(v);
  }
  return loads;
}

} // namespace

TEST_CASE("METIS cuts a chain of cliques between them" * on_ranks(1, 1)) {
  for (const Method method : {Method::kway, Method::recursive}) {
    for (const int cliques : {2, 3, 5}) {
      const Graph graph = chain_of_cliques(cliques, 8);
      CHECK(are_cliques(divide_by_metis(graph, cliques, {.method = method}), cliques, 8));
    }
  }
  CHECK(divide_by_metis(graphs::grid(3, 1, 1), 1, {}) == Parts{0, 0, 0});
}

TEST_CASE("weights that METIS cannot count are scaled down, and balanced as they were" *
          on_ranks(1, 1)) {
  Graph graph = graphs::grid(16, 4, 1);
  const GlobalIndex unit = GlobalIndex{1} << 40; // beyond 32 bits
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    graph.weights.push_back(v % 16 < 4 ? 3 * unit : v % 16 < 15 ? unit : 1); // columns
  }
  const std::vector<GlobalIndex> loads = loads_of(graph, divide_by_metis(graph, 2, {}), 2);
  CHECK(std::max(loads[0], loads[1]) < 1.06 * std::min(loads[0], loads[1]));
  graph.edge_weights.assign(graph.targets.size(), unit);
  const std::vector<GlobalIndex> again = loads_of(graph, divide_by_metis(graph, 2, {}), 2);
  CHECK(std::max(again[0], again[1]) < 1.06 * std::min(again[0], again[1]));
}

TEST_CASE("METIS leaves no part empty, even of a star whose centre weighs everything" *
          on_ranks(1, 1)) {
  std::vector<Edge> edges;
  for (GlobalIndex v = 1; v < 12; ++v) {
    edges.push_back({0, v});
  }
  Graph star = make_graph(12, edges);
  star.weights.assign(12, 0);
  star.weights[0] = 1000;
  for (const int parts : {2, 3, 4}) {
    const Parts of = divide_by_metis(star, parts, {});
    CHECK(std::set<int>(of.begin(), of.end()).size() == static_cast<std::size_t>(parts));
  }
}

TEST_CASE("Scotch cuts a chain of cliques between them, and keeps fixed vertices where they are" *
          on_ranks(1, 1)) {
  const Graph graph = chain_of_cliques(3, 8);
  const Parts open(graph.num_vertices(), -1);
  CHECK(are_cliques(divide_by_scotch(graph, 3, open, 1.03, 1), 3, 8));
  Parts fixed = open;
  fixed[3] = 2; // of the first clique
  fixed[20] = 0;
  const Parts of = divide_by_scotch(graph, 3, fixed, 1.03, 1);
  CHECK(of[3] == 2);
  CHECK(of[20] == 0);
  CHECK(loads_of(graph, of, 3) == std::vector<GlobalIndex>{8, 8, 8});
  const Parts all = {1, 0, 1, 1, 0};
  CHECK(divide_by_scotch(graphs::grid(5, 1, 1), 2, all, 1.03, 1) == all);
}

TEST_CASE("equal seeds give equal parts by Scotch" * on_ranks(1, 1)) {
  const Graph graph = graphs::random(80, 240, 5);
  const Parts open(graph.num_vertices(), -1);
  const Parts once = divide_by_scotch(graph, 4, open, 1.05, 9);
  (void)divide_by_scotch(graph, 4, open, 1.05, 10); // draws random numbers of its own
  CHECK(divide_by_scotch(graph, 4, open, 1.05, 9) == once);
}

TEST_CASE("Scotch refuses what it cannot balance or count" * on_ranks(1, 1)) {
  Graph graph = graphs::grid(4, 2, 1);
  const auto says = [&] {
    return message_of([&] { (void)divide_by_scotch(graph, 2, Parts(8, -1), 1.03, 1); });
  };
  graph.constraints = 2;
  graph.weights.assign(16, 1);
  CHECK(says() == "Scotch balances one constraint, not 2; use Method::kway");
  graph.constraints = 1;
  graph.weights.assign(8, GlobalIndex{1} << 40);
  const std::string text = says(); // there are builds of it with 32 bits and with 64
  const bool counts_all = text == "no error";
  const bool is_refused = text.find("Scotch of this system counts to 2147483647; use smaller") == 0;
  CHECK((counts_all || is_refused));
}

#ifndef ISTHMUS_SIMULATED
TEST_CASE("PT-Scotch cuts a chain of cliques that is spread over the ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Graph whole = chain_of_cliques(4, 10);
  const Parts own =
      divide_by_ptscotch(comm, graphs::rows(comm, whole), 4, {.method = Method::scotch});
  const Parts all = comm::allgather(comm, std::span<const int>(own)).values;
  CHECK(are_cliques(all, 4, 10));
}

TEST_CASE("what one rank cannot give to PT-Scotch is refused on all ranks" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  Graph rows = graphs::rows(comm, graphs::grid(6, 6, 1));
  const int last = comm.size() - 1;
  if (comm.rank() == last) {
    rows.constraints = 3;
  }
  const std::string text =
      message_of([&] { (void)divide_by_ptscotch(comm, rows, 2, {.method = Method::scotch}); });
  CHECK(text ==
        fmt::format("rank {}: Scotch balances one constraint, not 3; use Method::kway", last));
}
#endif
