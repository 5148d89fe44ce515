// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/divide.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/multilevel/metis.hpp"
#include "isthmus/partition/multilevel/scotch.hpp"
#include "isthmus/partition/refuse.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isthmus::partition {

namespace {

void check_settings(const Settings& settings, int constraints, int parts) {
  const auto n = static_cast<std::size_t>(constraints);
  check(settings.tolerances.size() == 1 || settings.tolerances.size() == n,
        "{} tolerances for {} constraints; give one, or one for each", settings.tolerances.size(),
        constraints);
  for (const double tolerance : settings.tolerances) {
    check(tolerance >= 1.0, "the tolerance {} is below 1, where all loads are equal", tolerance);
  }
  check(settings.shares.empty() || settings.shares.size() == n * static_cast<std::size_t>(parts),
        "{} shares for {} parts and {} constraints", settings.shares.size(), parts, constraints);
  check(settings.shares.empty() || settings.method != Method::scotch,
        "Scotch makes equal parts; use Method::kway for shares");
}

Parts divide_on_root(const comm::Comm& comm, const Graph& graph, int parts,
                     const Settings& settings, GlobalIndex total) {
  comm::agree(comm, [&] {
    check(total <= settings.most_gathered,
          "METIS would collect {} vertices on one rank, more than most_gathered {}; use "
          "Method::scotch, bisect or cut_curve",
          total, settings.most_gathered);
  });
  if (comm.size() == 1) {
    return divide_by_metis(graph, parts, settings);
  }
  const Graph whole = gather_graph(comm, graph);
  Parts all;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      all = divide_by_metis(whole, parts, settings);
    }
  });
  return scatter_parts(comm, all, graph.num_vertices());
}

} // namespace

Parts divide(const comm::Comm& comm, const Graph& graph, int parts, const Settings& settings) {
  check_graph(comm, graph);
  const GlobalIndex total =
      comm::allreduce(comm, static_cast<GlobalIndex>(graph.num_vertices()), comm::Op::sum);
  refuse_parts(comm, parts, total, "vertices", settings.empty_parts);
  comm::agree(comm, [&] { check_settings(settings, graph.constraints, parts); });
  const int filled = static_cast<int>(std::min<GlobalIndex>(parts, total));
  if (filled <= 1) {
    return Parts(graph.num_vertices(), 0);
  }
  if (filled == total) { // one vertex each
    Parts of(graph.num_vertices());
    std::iota(of.begin(), of.end(),
              static_cast<int>(comm::exscan(comm, static_cast<GlobalIndex>(of.size()))));
    return of;
  }
  return settings.method == Method::scotch ? divide_by_ptscotch(comm, graph, filled, settings)
                                           : divide_on_root(comm, graph, filled, settings, total);
}

Parts divide_around(const Graph& graph, int parts, Parts fixed, double tolerance, int seed) {
  const comm::Comm alone;
  check_graph(alone, graph);
  refuse_parts(alone, parts, static_cast<GlobalIndex>(graph.num_vertices()), "vertices", false);
  check(fixed.size() == graph.num_vertices(), "{} fixed parts for {} vertices; -1 is not fixed",
        fixed.size(), graph.num_vertices());
  for (const int part : fixed) {
    check(part >= -1 && part < parts, "a vertex is fixed in part {} of {}", part, parts);
  }
  return divide_by_scotch(graph, parts, std::move(fixed), tolerance, seed);
}

Parts divide(const Graph& graph, int parts, const Settings& settings) {
  return divide(comm::Comm(), graph, parts, settings);
}

} // namespace isthmus::partition
