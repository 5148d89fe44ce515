// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/divide.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/quality.hpp"
#include "message_of.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

// Edge cut, loads and partners counted on the whole graph, edge by edge.
struct Count {
  GlobalIndex cut = 0;
  GlobalIndex volume = 0;
  std::vector<GlobalIndex> loads;
  std::set<std::pair<int, int>> pairs;
};

Count count(const Graph& graph, const Parts& of, int parts, int constraint = 0) {
  Count result;
  result.loads.assign(static_cast<std::size_t>(parts), 0);
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    result.loads[static_cast<std::size_t>(of[v])] += graph.weight(v, constraint);
    std::set<int> others;
    for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const auto edge = static_cast<std::size_t>(e);
      const int other = of[static_cast<std::size_t>(graph.targets[edge])];
      if (other != of[v]) {
        result.cut += graph.edge_weight(edge);
        others.insert(other);
        result.pairs.insert({of[v], other});
      }
    }
    result.volume += static_cast<GlobalIndex>(others.size());
  }
  result.cut /= 2;
  return result;
}

double imbalance(const std::vector<GlobalIndex>& loads) {
  GlobalIndex sum = 0;
  for (const GlobalIndex load : loads) {
    sum += load;
  }
  return static_cast<double>(*std::max_element(loads.begin(), loads.end())) *
         static_cast<double>(loads.size()) / static_cast<double>(sum);
}

Parts gathered(const comm::Comm& comm, const Parts& own) {
  return comm::allgather(comm, std::span<const int>(own)).values;
}

} // namespace

TEST_CASE("METIS divides a distributed grid as it divides the whole one") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Graph whole = graphs::grid(12, 10, 8);
  for (const Method method : {Method::kway, Method::recursive}) {
    for (const int parts : {1, 2, 7, 16}) {
      const Settings settings{.method = method};
      const Parts serial = divide(whole, parts, settings);
      const Parts all = gathered(comm, divide(comm, graphs::rows(comm, whole), parts, settings));
      CHECK(all == serial);
      const Count counted = count(whole, serial, parts);
      CHECK(*std::min_element(counted.loads.begin(), counted.loads.end()) > 0);
      CHECK(imbalance(counted.loads) < 1.05);
      CHECK(counted.cut < 2600); // all edges: 2,480 would be all; bands of 16 cut 960 and more
    }
  }
}

TEST_CASE("several constraints are balanced at the same time" * on_ranks(1, 1)) {
  Graph graph = graphs::grid(24, 24, 4);
  graph.constraints = 2;
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    graph.weights.insert(graph.weights.end(), {1, v % 24 < 3 ? 1 : 0});
  }
  const Parts of = divide(graph, 8, {.tolerances = {1.05, 1.1}});
  CHECK(imbalance(count(graph, of, 8, 0).loads) < 1.08);
  CHECK(imbalance(count(graph, of, 8, 1).loads) < 1.15);
}

TEST_CASE("shares decide how large parts are" * on_ranks(1, 1)) {
  const Graph graph = graphs::grid(20, 20, 5);
  const Parts of = divide(graph, 3, {.method = Method::recursive, .shares = {0.5, 0.3, 0.2}});
  const Count counted = count(graph, of, 3);
  CHECK(counted.loads[0] == doctest::Approx(1000).epsilon(0.05));
  CHECK(counted.loads[2] == doctest::Approx(400).epsilon(0.05));
}

TEST_CASE("every method gives valid parts of graphs without structure") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (unsigned seed = 0; seed < 12; ++seed) {
    const std::size_t n = 1 + seed * 17;
    const Graph whole = graphs::random(n, 3 * n * (seed % 3), seed);
    const Graph rows = graphs::rows(comm, whole);
    for (const int parts : {1, 2, 5, 13}) {
      const Settings settings{.seed = static_cast<int>(seed), .empty_parts = true};
      const Parts all = gathered(comm, divide(comm, rows, parts, settings));
      REQUIRE(all.size() == n);
      const std::set<int> used(all.begin(), all.end());
      CHECK(*used.begin() >= 0);
      CHECK(*used.rbegin() < parts);
      CHECK(used.size() == std::min<std::size_t>(n, static_cast<std::size_t>(parts)));
    }
  }
}

TEST_CASE("a report counts what an edge by edge count finds") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Graph whole = graphs::random(60, 150, seed);
    Parts of(60);
    for (std::size_t v = 0; v < of.size(); ++v) {
      of[v] = static_cast<int>(v * v % 7);
    }
    const Quality quality =
        assess(comm, graphs::rows(comm, whole), graphs::piece(comm, of), 8, 2.0);
    const Count counted = count(whole, of, 8);
    CHECK(quality.cut == counted.cut);
    CHECK(quality.volume == counted.volume);
    CHECK(quality.mean_partners == doctest::Approx(static_cast<double>(counted.pairs.size()) / 8));
    CHECK(quality.imbalance.front() == doctest::Approx(imbalance(counted.loads)));
    CHECK(quality.empty == 4); // squares modulo 7 are 0, 1, 2, 4
    CHECK(quality.most_partners == 3);
    CHECK(quality.efficiency < 1.0 / quality.imbalance.front());
  }
}

#ifndef ISTHMUS_SIMULATED
TEST_CASE("PT-Scotch divides a graph that stays distributed") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Graph whole = graphs::grid(12, 10, 8);
  const Graph rows = graphs::rows(comm, whole);
  for (const int parts : {1, 2, 5, 16}) {
    const Settings settings{.method = Method::scotch, .tolerances = {1.05}};
    const Parts all = gathered(comm, divide(comm, rows, parts, settings));
    const Count counted = count(whole, all, parts);
    CHECK(*std::min_element(counted.loads.begin(), counted.loads.end()) > 0);
    CHECK(imbalance(counted.loads) < 1.1);
    CHECK(counted.cut < 1100);
  }
  Graph two = rows;
  two.constraints = 2;
  two.weights.assign(2 * two.num_vertices(), 1);
  const auto call = [&] { (void)divide(comm, two, 3, {.method = Method::scotch}); };
  CHECK(error_of(call).find("balances one constraint, not 2") != std::string::npos);
}
#endif

TEST_CASE("what makes no sense is refused on all ranks with the same words") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Graph whole = graphs::grid(3, 2, 1);
  const auto refused = [&](const Graph& graph, int parts, const char* words) {
    const std::string text =
        error_of([&] { (void)divide(comm, graphs::rows(comm, graph), parts); });
    CAPTURE(text);
    CHECK(text.find(words) != std::string::npos);
  };
  refused(whole, 0, "0 parts are asked for; 1 is the least");
  refused(whole, -3, "-3 parts are asked for");
  refused(whole, 7, "7 parts are asked for of 6 vertices; ask for fewer, or allow empty parts");
  Graph wrong = whole;
  wrong.weights = {1, 1, 1, 1, 1, -5};
  refused(wrong, 2, "vertex 5 has the negative weight -5");
  wrong = whole;
  wrong.edge_weights[0] = 4;
  refused(wrong, 2, "does not stand in both rows with the same weight");
  wrong = whole;
  wrong.targets.back() = 0;
  refused(wrong, 2, "does not stand in both rows with the same weight");
  wrong.targets.back() = 6;
  refused(wrong, 2, "vertex 5 has the neighbour 6 of 6 vertices");
  wrong.targets.back() = 5;
  refused(wrong, 2, "vertex 5 is its own neighbour");
  const auto large = [&] {
    (void)divide(comm, graphs::rows(comm, whole), 2, {.most_gathered = 5});
  };
  CHECK(error_of(large).find("more than most_gathered 5") != std::string::npos);
}
