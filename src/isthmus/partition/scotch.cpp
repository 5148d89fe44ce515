// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/scotch.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#ifdef ISTHMUS_WITH_SCOTCH
#include <cstdint>
#include <cstdio>

#include <ptscotch.h>
#endif

#include <limits>

namespace isthmus::partition {

#ifdef ISTHMUS_WITH_SCOTCH

namespace {

using Numbers = std::vector<SCOTCH_Num>;

void check_range(std::span<const GlobalIndex> values) {
  for (const GlobalIndex value : values) {
    check(value <= std::numeric_limits<SCOTCH_Num>::max(),
          "PT-Scotch of this system counts to {}, not to {}; use bisect or cut_curve",
          std::numeric_limits<SCOTCH_Num>::max(), value);
  }
}

// The library's objects, freed in the end.
struct Job {
  SCOTCH_Dgraph graph;
  SCOTCH_Strat strategy;

  explicit Job(MPI_Comm comm) {
    check(SCOTCH_dgraphInit(&graph, comm) == 0, "PT-Scotch cannot make a graph");
    SCOTCH_stratInit(&strategy);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() {
    SCOTCH_stratExit(&strategy);
    SCOTCH_dgraphExit(&graph);
  }
};

} // namespace

Parts divide_by_scotch(const comm::Comm& comm, const Graph& graph, int parts,
                       const Settings& settings) {
  comm::agree(comm, [&] {
    check(comm.raw() != MPI_COMM_NULL,
          "PT-Scotch needs an MPI communicator, of one rank at least; METIS does not");
    check(graph.constraints == 1, "PT-Scotch balances one constraint, not {}; use Method::kway",
          graph.constraints);
    check(settings.shares.empty(), "PT-Scotch makes equal parts; use Method::kway for shares");
    check_range(graph.weights);
    check_range(graph.edge_weights);
    check_range(graph.offsets);
  });
  Numbers offsets(graph.offsets.begin(), graph.offsets.end());
  Numbers targets(graph.targets.begin(), graph.targets.end());
  Numbers weights(graph.weights.begin(), graph.weights.end());
  Numbers edge_weights(graph.edge_weights.begin(), graph.edge_weights.end());
  // a rank without vertices or edges has weights as the others do
  weights.resize(graph.num_vertices(), 1);
  edge_weights.resize(targets.size(), 1);
  weights.reserve(1);
  edge_weights.reserve(1);
  targets.reserve(1);
  const auto vertices = static_cast<SCOTCH_Num>(graph.num_vertices());
  const auto edges = static_cast<SCOTCH_Num>(targets.size());
  Parts found(graph.num_vertices());
  found.reserve(1);
  Job job(comm.raw());
  SCOTCH_randomSeed(settings.seed);
  SCOTCH_randomReset();
  SCOTCH_stratDgraphMapBuild(&job.strategy, SCOTCH_STRATDEFAULT, comm.size(), parts,
                             settings.tolerances.front() - 1.0);
  const int built = SCOTCH_dgraphBuild(&job.graph, 0, vertices, vertices, offsets.data(),
                                       offsets.data() + 1, weights.data(), nullptr, edges, edges,
                                       targets.data(), nullptr, edge_weights.data());
  comm::agree(comm, [built] { check(built == 0, "PT-Scotch refuses the graph"); });
  const int divided = SCOTCH_dgraphPart(&job.graph, parts, &job.strategy, found.data());
  comm::agree(comm, [&] { check(divided == 0, "PT-Scotch could not make {} parts", parts); });
  return found;
}

#else

Parts divide_by_scotch(const comm::Comm&, const Graph&, int, const Settings&) {
  fail(
      "this build has no PT-Scotch; install libptscotch-dev and build again, or use "
      "Method::kway, bisect or cut_curve");
}

#endif

} // namespace isthmus::partition
