// SPDX-License-Identifier: BSD-3-Clause
#include "balance_coupled.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/partition/multilevel/coupled.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

Graph grid(const std::array<int, 3>& n) {
  std::vector<Edge> edges;
  GlobalIndex cell = 0;
  for (int k = 0; k < n[2]; ++k) {
    for (int j = 0; j < n[1]; ++j) {
      for (int i = 0; i < n[0]; ++i, ++cell) {
        if (i + 1 < n[0]) {
          edges.push_back({cell, cell + 1});
        }
        if (j + 1 < n[1]) {
          edges.push_back({cell, cell + n[0]});
        }
        if (k + 1 < n[2]) {
          edges.push_back({cell, cell + static_cast<GlobalIndex>(n[0]) * n[1]});
        }
      }
    }
  }
  return make_graph(static_cast<std::size_t>(cell), edges);
}

// Cells of a box of size 1 or of an interface of that size.
struct Box {
  std::array<int, 3> n;

  [[nodiscard]] GlobalIndex number(int i, int j, int k) const {
    return (static_cast<GlobalIndex>(k) * n[1] + j) * n[0] + i;
  }
};

// Length that cell i of n and cell j of m share on an edge, in units of 1 / (n m).
GlobalIndex overlap(int i, int n, int j, int m) {
  return std::max(0, std::min((i + 1) * m, (j + 1) * n) - std::max(i * m, j * n));
}

// The last plane of A in the first direction meets the first of B: faces that overlap exchange.
CoupledGraphs boxes(const Box& a, const Box& b) {
  CoupledGraphs graphs{grid(a.n), grid(b.n), {}, 3, {}};
  for (int ka = 0; ka < a.n[2]; ++ka) {
    for (int ja = 0; ja < a.n[1]; ++ja) {
      for (int i = 0; i < a.n[0]; ++i) {
        graphs.coords.insert(graphs.coords.end(),
                             {i + 0.5 - a.n[0], (ja + 0.5) / a.n[1], (ka + 0.5) / a.n[2]});
      }
      for (int kb = 0; kb < b.n[2]; ++kb) {
        for (int jb = 0; jb < b.n[1]; ++jb) {
          const GlobalIndex area =
              overlap(ja, a.n[1], jb, b.n[1]) * overlap(ka, a.n[2], kb, b.n[2]);
          if (area > 0) {
            graphs.links.push_back({a.number(a.n[0] - 1, ja, ka), b.number(0, jb, kb), area});
          }
        }
      }
    }
  }
  return graphs;
}

// Of several links of a vertex of B the one with the largest area, as in a mapping by neighbours.
void keep_nearest(CoupledGraphs& graphs) {
  std::stable_sort(graphs.links.begin(), graphs.links.end(), [](const Edge& x, const Edge& y) {
    return x.b != y.b ? x.b < y.b : x.weight > y.weight;
  });
  graphs.links.erase(std::unique(graphs.links.begin(), graphs.links.end(),
                                 [](const Edge& x, const Edge& y) { return x.b == y.b; }),
                     graphs.links.end());
}

// Each side for itself, with the interface as a second constraint or without.
CoupledParts independent(const CoupledGraphs& graphs, int p, int q, bool with_interface) {
  const auto side = [&](Graph graph, int parts, bool second) {
    const auto interface = linked(graph.num_vertices(), graphs.links, second);
    if (with_interface) {
      graph.constraints = 2;
      for (const GlobalIndex at : interface) {
        graph.weights.insert(graph.weights.end(), {1, at});
      }
    }
    return divide(graph, parts, {.tolerances = {1.05}});
  };
  return {side(graphs.a, p, false), side(graphs.b, q, true)};
}

// One graph of both codes with four constraints and heavy links, for equal numbers of parts.
CoupledParts united(const CoupledGraphs& graphs, int parts) {
  const auto shift = static_cast<GlobalIndex>(graphs.a.num_vertices());
  std::vector<Edge> edges;
  const auto add = [&edges](const Graph& graph, GlobalIndex first) {
    for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
      for (const GlobalIndex target : graph.neighbours(v)) {
        if (target > static_cast<GlobalIndex>(v)) {
          edges.push_back({first + static_cast<GlobalIndex>(v), first + target});
        }
      }
    }
  };
  add(graphs.a, 0);
  add(graphs.b, shift);
  for (const Edge& link : graphs.links) {
    edges.push_back({link.a, shift + link.b, 16});
  }
  Graph both = make_graph(graphs.a.num_vertices() + graphs.b.num_vertices(), edges);
  both.constraints = 4;
  for (const GlobalIndex at : linked(graphs.a.num_vertices(), graphs.links, false)) {
    both.weights.insert(both.weights.end(), {1, 0, at, 0});
  }
  for (const GlobalIndex at : linked(graphs.b.num_vertices(), graphs.links, true)) {
    both.weights.insert(both.weights.end(), {0, 1, 0, at});
  }
  const Parts of = divide(both, parts, {.tolerances = {1.05}});
  return {{of.begin(), of.begin() + shift}, {of.begin() + shift, of.end()}};
}

// Divides and prints.
template <typename Divide>
void measure(const char* face, const char* way, int p, int q, const CoupledGraphs& graphs,
             Divide&& divide_both) {
  const double start = now();
  const CoupledParts of = divide_both();
  const double seconds = now() - start;
  const CouplingQuality c = assess_coupling(graphs, of, p, q);
  fmt::print("{},{},{},{},{},{},{:.4f},{:.4f},{},{},{:.4f},{:.4f},{:.3f}\n", face, way, p, q,
             c.pairs, c.most_partners, c.interface_a, c.interface_b, c.cut_a, c.cut_b,
             c.imbalance_a, c.imbalance_b, seconds);
}

} // namespace

void measure_coupled(std::span<const int> ranks) {
  constexpr Box a{{40, 32, 32}};
  CoupledGraphs faces[] = {boxes(a, {{16, 40, 40}}), boxes(a, {{16, 41, 39}}),
                           boxes(a, {{16, 41, 39}})};
  keep_nearest(faces[2]);
  constexpr const char* names[] = {"aligned", "staggered", "nearest"};
  fmt::print(
      "face,way,ranks_a,ranks_b,pairs,most_partners,interface_a,interface_b,cut_a,cut_b,"
      "imbalance_a,imbalance_b,seconds\n");
  for (std::size_t i = 0; i + 1 < ranks.size(); i += 2) {
    const int p = ranks[i];
    const int q = ranks[i + 1];
    for (std::size_t face = 0; face < std::size(faces); ++face) {
      const CoupledGraphs& graphs = faces[face];
      const auto with = [&](const char* way, auto&& divide_both) {
        measure(names[face], way, p, q, graphs, divide_both);
      };
      with("volume", [&] { return independent(graphs, p, q, false); });
      with("balanced", [&] { return independent(graphs, p, q, true); });
      if (p == q) {
        with("united", [&] { return united(graphs, p); });
      }
      with("ours", [&] { return divide_coupled(graphs, p, q); });
    }
  }
}
