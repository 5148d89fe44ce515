// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/scotch.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#ifdef ISTHMUS_WITH_PT
#include <ptscotch.h>
#elif defined(ISTHMUS_WITH_SCOTCH)
#include <scotch.h>
#endif

namespace isthmus::partition {

#ifdef ISTHMUS_WITH_SCOTCH

namespace {

using ScotchNumbers = std::vector<SCOTCH_Num>;

// The arrays of a graph as the library wants them; none of them is without memory.
struct Arrays {
  ScotchNumbers offsets;
  ScotchNumbers targets;
  ScotchNumbers weights;
  ScotchNumbers edge_weights;

  explicit Arrays(const Graph& graph)
      : offsets(graph.offsets.begin(), graph.offsets.end()),
        targets(graph.targets.begin(), graph.targets.end()),
        weights(graph.weights.begin(), graph.weights.end()),
        edge_weights(graph.edge_weights.begin(), graph.edge_weights.end()) {
    weights.resize(graph.num_vertices(), 1);
    edge_weights.resize(targets.size(), 1);
    for (ScotchNumbers* numbers : {&targets, &weights, &edge_weights}) {
      numbers->reserve(1);
    }
  }
  [[nodiscard]] SCOTCH_Num vertices() const { return static_cast<SCOTCH_Num>(offsets.size()) - 1; }
  [[nodiscard]] SCOTCH_Num edges() const { return static_cast<SCOTCH_Num>(targets.size()); }
};

void check_fits(const Graph& graph) {
  check(graph.constraints == 1, "Scotch balances one constraint, not {}; use Method::kway",
        graph.constraints);
  for (const auto* values : {&graph.weights, &graph.edge_weights, &graph.offsets}) {
    GlobalIndex sum = 0;
    for (const GlobalIndex value : *values) {
      sum = values == &graph.offsets ? value : sum + value;
      check(sum <= std::numeric_limits<SCOTCH_Num>::max(),
            "Scotch of this system counts to {}; use smaller weights, bisect or cut_curve",
            std::numeric_limits<SCOTCH_Num>::max());
    }
  }
}

// One thread and random numbers of its own: equal results for equal inputs.
struct Context {
  SCOTCH_Context raw;

  explicit Context(int seed) {
    const bool made = SCOTCH_contextInit(&raw) == 0 &&
                      SCOTCH_contextOptionSetNum(&raw, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
                      SCOTCH_contextRandomClone(&raw) == 0 &&
                      SCOTCH_contextThreadSpawn(&raw, 1, nullptr) == 0;
    check(made, "Scotch cannot start");
    SCOTCH_contextRandomSeed(&raw, seed);
    SCOTCH_contextRandomReset(&raw);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { SCOTCH_contextExit(&raw); }
};

struct Strategy {
  SCOTCH_Strat raw;

  Strategy() { SCOTCH_stratInit(&raw); }
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  ~Strategy() { SCOTCH_stratExit(&raw); }
};

// A graph, and the same one in a context.
struct SerialGraph {
  SCOTCH_Graph raw;
  SCOTCH_Graph bound;

  SerialGraph() {
    check(SCOTCH_graphInit(&raw) == 0 && SCOTCH_graphInit(&bound) == 0,
          "Scotch cannot make a graph");
  }
  SerialGraph(const SerialGraph&) = delete;
  SerialGraph& operator=(const SerialGraph&) = delete;
  ~SerialGraph() {
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&raw);
  }
};

} // namespace

Parts divide_by_scotch(const Graph& graph, int parts, Parts fixed, double tolerance, int seed) {
  check_fits(graph);
  Arrays arrays(graph);
  Context context(seed);
  Strategy strategy;
  SCOTCH_stratGraphMapBuild(&strategy.raw, SCOTCH_STRATBALANCE, parts, tolerance - 1.0);
  SerialGraph job;
  const bool divided =
      SCOTCH_graphBuild(&job.raw, 0, arrays.vertices(), arrays.offsets.data(),
                        arrays.offsets.data() + 1, arrays.weights.data(), nullptr, arrays.edges(),
                        arrays.targets.data(), arrays.edge_weights.data()) == 0 &&
      SCOTCH_contextBindGraph(&context.raw, &job.raw, &job.bound) == 0 &&
      SCOTCH_graphPartFixed(&job.bound, parts, &strategy.raw, fixed.data()) == 0;
  check(divided, "Scotch could not make {} parts of {} vertices", parts, arrays.vertices());
  return fixed;
}

#else

Parts divide_by_scotch(const Graph&, int, Parts, double, int) {
  fail("this build has no Scotch; install libptscotch-dev and build again");
}

#endif

#ifdef ISTHMUS_WITH_PT

namespace {

struct DistributedGraph {
  SCOTCH_Dgraph raw;
  SCOTCH_Dgraph bound;

  explicit DistributedGraph(MPI_Comm comm) {
    check(SCOTCH_dgraphInit(&raw, comm) == 0 && SCOTCH_dgraphInit(&bound, comm) == 0,
          "PT-Scotch cannot make a graph");
  }
  DistributedGraph(const DistributedGraph&) = delete;
  DistributedGraph& operator=(const DistributedGraph&) = delete;
  ~DistributedGraph() {
    SCOTCH_dgraphExit(&bound);
    SCOTCH_dgraphExit(&raw);
  }
};

} // namespace

Parts divide_by_ptscotch(const comm::Comm& comm, const Graph& graph, int parts,
                         const Settings& settings) {
  if (comm.size() == 1) {
    return divide_by_scotch(graph, parts, Parts(graph.num_vertices(), -1),
                            settings.tolerances.front(), settings.seed);
  }
  comm::agree(comm, [&] { check_fits(graph); });
  Arrays arrays(graph);
  Parts found(graph.num_vertices());
  found.reserve(1);
  Context context(settings.seed);
  Strategy strategy;
  SCOTCH_stratDgraphMapBuild(&strategy.raw, SCOTCH_STRATDEFAULT, comm.size(), parts,
                             settings.tolerances.front() - 1.0);
  DistributedGraph job(comm.raw());
  const int built = SCOTCH_dgraphBuild(
      &job.raw, 0, arrays.vertices(), arrays.vertices(), arrays.offsets.data(),
      arrays.offsets.data() + 1, arrays.weights.data(), nullptr, arrays.edges(), arrays.edges(),
      arrays.targets.data(), nullptr, arrays.edge_weights.data());
  comm::agree(comm, [built] { check(built == 0, "PT-Scotch refuses the graph"); });
  SCOTCH_contextBindDgraph(&context.raw, &job.raw, &job.bound);
  const int divided = SCOTCH_dgraphPart(&job.bound, parts, &strategy.raw, found.data());
  comm::agree(comm, [&] { check(divided == 0, "PT-Scotch could not make {} parts", parts); });
  return found;
}

#else

Parts divide_by_ptscotch(const comm::Comm&, const Graph&, int, const Settings&) {
  fail(
      "this build has no PT-Scotch; install libptscotch-dev and build again, or use "
      "Method::kway, bisect or cut_curve");
}

#endif

} // namespace isthmus::partition
