// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/coupled.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/partition/quality.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace isthmus::partition {

namespace {

constexpr int constraints = 4; // work of a, work of b, interface of a, interface of b
using Numbers = std::vector<GlobalIndex>;

// Vertices of a, then those of b.
Graph unite(const CoupledGraphs& graphs, GlobalIndex link_weight) {
  const auto shift = static_cast<GlobalIndex>(graphs.a.num_vertices());
  std::vector<Edge> edges;
  const auto add = [&edges](const Graph& graph, GlobalIndex first) {
    for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
      for (auto e = static_cast<std::size_t>(graph.offsets[v]);
           e < static_cast<std::size_t>(graph.offsets[v + 1]); ++e) {
        if (graph.targets[e] > static_cast<GlobalIndex>(v)) {
          edges.push_back({first + static_cast<GlobalIndex>(v), first + graph.targets[e],
                           graph.edge_weight(e)});
        }
      }
    }
  };
  add(graphs.a, 0);
  add(graphs.b, shift);
  for (const Edge& link : graphs.links) {
    edges.push_back({link.a, shift + link.b, link.weight * link_weight});
  }
  Graph graph = make_graph(graphs.a.num_vertices() + graphs.b.num_vertices(), edges);
  graph.constraints = constraints;
  const Numbers at_a = linked(graphs.a.num_vertices(), graphs.links, false);
  const Numbers at_b = linked(graphs.b.num_vertices(), graphs.links, true);
  for (std::size_t v = 0; v < at_a.size(); ++v) {
    graph.weights.insert(graph.weights.end(), {graphs.a.weight(v), 0, at_a[v], 0});
  }
  for (std::size_t v = 0; v < at_b.size(); ++v) {
    graph.weights.insert(graph.weights.end(), {0, graphs.b.weight(v), 0, at_b[v]});
  }
  return graph;
}

// Some vertices of the union, ascending, and how many parts each side of them makes.
struct Group {
  Numbers vertices;
  int first_a;
  int parts_a;
  int first_b;
  int parts_b;
};

class Divider {
 public:
  Divider(const Graph& graph, GlobalIndex num_a, const CoupledSettings& settings, int seed)
      : graph_(graph), num_a_(num_a), settings_(settings), seed_(seed), of_(graph.num_vertices()) {}

  CoupledParts run(int parts_a, int parts_b) {
    const int groups = std::gcd(parts_a, parts_b);
    Numbers all(graph_.num_vertices());
    std::iota(all.begin(), all.end(), GlobalIndex{0});
    const int of_a = parts_a / groups;
    const int of_b = parts_b / groups;
    std::vector<Group> made;
    for (int g = 0; g < groups; ++g) {
      made.push_back({{}, g * of_a, of_a, g * of_b, of_b});
    }
    deal(all, divide(graph_, groups, {.tolerances = {settings_.tolerance}, .seed = seed_}), made);
    for (const Group& group : made) {
      refine(group);
    }
    const auto border = of_.begin() + num_a_;
    return {{of_.begin(), border}, {border, of_.end()}};
  }

 private:
  static void deal(const Numbers& vertices, const Parts& of, std::vector<Group>& groups) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      groups[static_cast<std::size_t>(of[i])].vertices.push_back(vertices[i]);
    }
  }

  void refine(const Group& group) {
    if (group.parts_a > 1 && group.parts_b > 1) {
      halve(group);
      return;
    }
    const auto border = std::lower_bound(group.vertices.begin(), group.vertices.end(), num_a_);
    split(Numbers(group.vertices.begin(), border), group.first_a, group.parts_a, {0, 2});
    split(Numbers(border, group.vertices.end()), group.first_b, group.parts_b, {1, 3});
  }

  // Both sides in nearly the same proportion.
  void halve(const Group& group) {
    const int a = group.parts_a / 2;
    const int b = std::clamp((2 * group.parts_b * a + group.parts_a) / (2 * group.parts_a), 1,
                             group.parts_b - 1);
    const double share_a = static_cast<double>(a) / group.parts_a;
    const double share_b = static_cast<double>(b) / group.parts_b;
    Settings settings{.method = Method::recursive, .tolerances = {1.005}, .seed = seed_};
    for (const bool low : {true, false}) {
      for (const double share : {share_a, share_b, share_a, share_b}) {
        settings.shares.push_back(low ? share : 1.0 - share);
      }
    }
    std::vector<Group> halves{
        {{}, group.first_a, a, group.first_b, b},
        {{}, group.first_a + a, group.parts_a - a, group.first_b + b, group.parts_b - b}};
    deal(group.vertices, divide(induced(graph_, group.vertices), 2, settings), halves);
    refine(halves[0]);
    refine(halves[1]);
  }

  // One side of a group, with its work and its interface.
  void split(const Numbers& vertices, int first, int parts, std::pair<int, int> kept) {
    Graph graph = induced(graph_, vertices);
    Numbers weights;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      weights.insert(weights.end(), {graph.weight(v, kept.first), graph.weight(v, kept.second)});
    }
    graph.constraints = 2;
    graph.weights = std::move(weights);
    const Parts of = divide(graph, parts,
                            {.method = parts <= 8 ? Method::recursive : Method::kway,
                             .tolerances = {1.005},
                             .seed = seed_});
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      of_[static_cast<std::size_t>(vertices[i])] = first + of[i];
    }
  }

  const Graph& graph_;
  GlobalIndex num_a_; // vertices of a
  const CoupledSettings& settings_;
  int seed_;
  Parts of_;
};

void check_links(const CoupledGraphs& graphs) {
  const auto a = static_cast<GlobalIndex>(graphs.a.num_vertices());
  const auto b = static_cast<GlobalIndex>(graphs.b.num_vertices());
  for (const Edge& link : graphs.links) {
    check(link.a >= 0 && link.a < a && link.b >= 0 && link.b < b,
          "there is no link from vertex {} of {} to vertex {} of {}", link.a, a, link.b, b);
  }
}

// Less is better: what the cut and the pairs cost, and much for loads that are out of tolerance.
double price(const CouplingQuality& q, const CoupledGraphs& graphs, const CoupledSettings& s) {
  const double worst =
      std::max({q.interface_a, q.interface_b, q.imbalance_a, q.imbalance_b, s.tolerance});
  const double values = static_cast<double>(graphs.links.size());
  return static_cast<double>(q.cut_a + q.cut_b) * (1.0 + 10.0 * (worst - s.tolerance)) +
         static_cast<double>(s.link_weight * q.pairs) + values * 10.0 * (worst - s.tolerance);
}

} // namespace

CoupledParts divide_coupled(const CoupledGraphs& graphs, int parts_a, int parts_b,
                            const CoupledSettings& settings) {
  check(parts_a >= 1 && parts_b >= 1, "{} and {} parts are asked for; 1 is the least", parts_a,
        parts_b);
  check(graphs.a.constraints == 1 && graphs.b.constraints == 1,
        "coupled graphs have one weight per vertex, the work of the solver; not {} and {}",
        graphs.a.constraints, graphs.b.constraints);
  check_graph(comm::Comm(), graphs.a);
  check_graph(comm::Comm(), graphs.b);
  check_links(graphs);
  const Graph both = unite(graphs, settings.link_weight);
  const auto num_a = static_cast<GlobalIndex>(graphs.a.num_vertices());
  CoupledParts best;
  double least = 0.0;
  for (int i = 0; i < std::max(1, settings.attempts); ++i) {
    CoupledParts found = Divider(both, num_a, settings, settings.seed + i).run(parts_a, parts_b);
    const double cost = price(assess_coupling(graphs, found, parts_a, parts_b), graphs, settings);
    if (i == 0 || cost < least) {
      least = cost;
      best = std::move(found);
    }
  }
  return best;
}

CouplingQuality assess_coupling(const CoupledGraphs& graphs, const CoupledParts& of, int parts_a,
                                int parts_b) {
  std::set<std::pair<int, int>> pairs;
  for (const Edge& link : graphs.links) {
    pairs.insert({of.a[static_cast<std::size_t>(link.a)], of.b[static_cast<std::size_t>(link.b)]});
  }
  std::vector<int> partners(static_cast<std::size_t>(parts_a + parts_b), 0);
  for (const auto& [a, b] : pairs) {
    ++partners[static_cast<std::size_t>(a)];
    ++partners[static_cast<std::size_t>(parts_a + b)];
  }
  const auto side = [](const Graph& graph, const Numbers& interface, const Parts& parts_of,
                       int parts) {
    Graph two{graph.offsets, graph.targets, graph.edge_weights, 2, {}};
    for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
      two.weights.insert(two.weights.end(), {graph.weight(v), interface[v]});
    }
    return assess(comm::Comm(), two, parts_of, parts);
  };
  const Quality a =
      side(graphs.a, linked(graphs.a.num_vertices(), graphs.links, false), of.a, parts_a);
  const Quality b =
      side(graphs.b, linked(graphs.b.num_vertices(), graphs.links, true), of.b, parts_b);
  return {static_cast<int>(pairs.size()),
          *std::max_element(partners.begin(), partners.end()),
          a.imbalance[1],
          b.imbalance[1],
          a.cut,
          b.cut,
          a.imbalance[0],
          b.imbalance[0]};
}

Numbers linked(std::size_t count, std::span<const Edge> links, bool second) {
  Numbers result(count, 0);
  for (const Edge& link : links) {
    result[static_cast<std::size_t>(second ? link.b : link.a)] = 1;
  }
  return result;
}

} // namespace isthmus::partition
