// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/graph.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace isthmus::partition {

namespace {

// One entry of a row as its other end must have it.
struct Mirror {
  GlobalIndex row;
  GlobalIndex target;
  GlobalIndex weight;
  auto operator<=>(const Mirror&) const = default;
};

void check_sizes(const Graph& graph) {
  const std::size_t n = graph.num_vertices();
  const std::size_t edges = graph.targets.size();
  check(graph.offsets.front() == 0 && graph.offsets.back() == static_cast<GlobalIndex>(edges) &&
            std::is_sorted(graph.offsets.begin(), graph.offsets.end()),
        "graph: offsets must ascend from 0 to the number of targets, {}", edges);
  check(graph.edge_weights.empty() || graph.edge_weights.size() == edges,
        "graph: {} edge weights for {} targets; give one for each, or none",
        graph.edge_weights.size(), edges);
  check(graph.constraints >= 1, "graph: {} constraints; 1 is the least", graph.constraints);
  check(graph.weights.empty() ||
            graph.weights.size() == n * static_cast<std::size_t>(graph.constraints),
        "graph: {} weights for {} vertices with {} constraints", graph.weights.size(), n,
        graph.constraints);
}

void check_values(const Graph& graph, GlobalIndex first, GlobalIndex total) {
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    const auto vertex = first + static_cast<GlobalIndex>(i) / graph.constraints;
    check(graph.weights[i] >= 0, "graph: vertex {} has the negative weight {}", vertex,
          graph.weights[i]);
  }
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    const GlobalIndex self = first + static_cast<GlobalIndex>(v);
    for (const GlobalIndex target : graph.neighbours(v)) {
      check(target >= 0 && target < total, "graph: vertex {} has the neighbour {} of {} vertices",
            self, target, total);
      check(target != self, "graph: vertex {} is its own neighbour; leave loops out", self);
    }
  }
  for (std::size_t e = 0; e < graph.targets.size(); ++e) {
    check(graph.edge_weight(e) >= 0, "graph: an edge to vertex {} has the negative weight {}",
          graph.targets[e], graph.edge_weight(e));
  }
}

// The entries of own rows, and what the rows of their other ends must contain, by rank.
struct Entries {
  std::vector<Mirror> own;
  comm::Lists<Mirror> demanded;
};

Entries entries_of(const Graph& graph, std::span<const GlobalIndex> ranges, GlobalIndex first) {
  Entries entries;
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    const GlobalIndex self = first + static_cast<GlobalIndex>(v);
    for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const GlobalIndex target = graph.targets[static_cast<std::size_t>(e)];
      const GlobalIndex weight = graph.edge_weight(static_cast<std::size_t>(e));
      const auto above = std::upper_bound(ranges.begin(), ranges.end(), target);
      entries.own.push_back({self, target, weight});
      entries.demanded[static_cast<int>(above - ranges.begin()) - 1].push_back(
          {target, self, weight});
    }
  }
  return entries;
}

void check_mirrors(std::vector<Mirror> own, std::vector<Mirror> demanded) {
  std::sort(own.begin(), own.end());
  std::sort(demanded.begin(), demanded.end());
  const auto [here, there] =
      std::mismatch(own.begin(), own.end(), demanded.begin(), demanded.end());
  if (here == own.end() && there == demanded.end()) {
    return;
  }
  const Mirror& odd =
      here == own.end() || (there != demanded.end() && *there < *here) ? *there : *here;
  fail(
      "graph: the edge between vertices {} and {} does not stand in both rows with the same "
      "weight; list it twice",
      odd.row, odd.target);
}

} // namespace

Graph make_graph(std::size_t vertices, std::span<const Edge> edges) {
  std::vector<Edge> both;
  both.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    both.push_back(edge);
    both.push_back({edge.b, edge.a, edge.weight});
  }
  std::sort(both.begin(), both.end(),
            [](const Edge& x, const Edge& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  Graph graph;
  graph.offsets.assign(vertices + 1, 0);
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (i > 0 && both[i].a == both[i - 1].a && both[i].b == both[i - 1].b) {
      graph.edge_weights.back() += both[i].weight;
    } else {
      graph.targets.push_back(both[i].b);
      graph.edge_weights.push_back(both[i].weight);
      ++graph.offsets[static_cast<std::size_t>(both[i].a) + 1];
    }
  }
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  return graph;
}

std::vector<GlobalIndex> vertex_ranges(const comm::Comm& comm, const Graph& graph) {
  std::vector<GlobalIndex> ranges{0};
  for (const GlobalIndex count :
       comm::allgather(comm, static_cast<GlobalIndex>(graph.num_vertices()))) {
    ranges.push_back(ranges.back() + count);
  }
  return ranges;
}

void check_graph(const comm::Comm& comm, const Graph& graph) {
  comm::agree(comm, [&graph] { check_sizes(graph); });
  const int constraints = comm::bcast(comm, graph.constraints);
  const std::vector<GlobalIndex> ranges = vertex_ranges(comm, graph);
  const GlobalIndex first = ranges[static_cast<std::size_t>(comm.rank())];
  comm::agree(comm, [&] {
    check(graph.constraints == constraints, "graph: {} constraints here and {} on rank 0",
          graph.constraints, constraints);
    check_values(graph, first, ranges.back());
  });
  Entries entries = entries_of(graph, ranges, first);
  std::vector<Mirror> demanded;
  if (auto own = entries.demanded.extract(comm.rank())) {
    demanded = std::move(own.mapped());
  }
  comm::append(comm::swap_lists(comm, entries.demanded), demanded);
  comm::agree(comm, [&] { check_mirrors(std::move(entries.own), std::move(demanded)); });
}

Graph gather_graph(const comm::Comm& comm, const Graph& graph) {
  std::vector<GlobalIndex> degrees(graph.num_vertices());
  std::adjacent_difference(graph.offsets.begin() + 1, graph.offsets.end(), degrees.begin());
  const auto gather = [&comm](const std::vector<GlobalIndex>& part) {
    return comm::gather(comm, std::span<const GlobalIndex>(part)).values;
  };
  Graph whole;
  whole.constraints = graph.constraints;
  const std::vector<GlobalIndex> all_degrees = gather(degrees);
  for (const GlobalIndex degree : all_degrees) {
    whole.offsets.push_back(whole.offsets.back() + degree);
  }
  whole.targets = gather(graph.targets);
  whole.edge_weights = gather(graph.edge_weights.empty() && comm.size() > 1
                                  ? std::vector<GlobalIndex>(graph.targets.size(), 1)
                                  : graph.edge_weights);
  whole.weights =
      gather(graph.weights.empty() && comm.size() > 1
                 ? std::vector<GlobalIndex>(
                       graph.num_vertices() * static_cast<std::size_t>(graph.constraints), 1)
                 : graph.weights);
  return whole;
}

std::vector<int> scatter_parts(const comm::Comm& comm, std::span<const int> all,
                               std::size_t count) {
  const std::vector<std::uint64_t> counts = comm::gather(comm, static_cast<std::uint64_t>(count));
  comm::Lists<int> outgoing;
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] > 0) {
      const auto piece = all.subspan(begin, counts[rank]);
      outgoing[static_cast<int>(rank)].assign(piece.begin(), piece.end());
    }
    begin += counts[rank];
  }
  const comm::Lists<int> own = comm::swap_lists(comm, outgoing); // of rank 0
  return own.empty() ? std::vector<int>() : own.begin()->second;
}

} // namespace isthmus::partition
