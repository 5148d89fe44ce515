// SPDX-License-Identifier: BSD-3-Clause
#include "balance_coupled.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/partition/coupled.hpp"

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

// The last plane of A in the first direction meets the first of B: faces that overlap exchange.
CoupledGraphs boxes() {
  constexpr std::array<int, 3> a{40, 32, 32};
  constexpr std::array<int, 3> b{16, 40, 40};
  CoupledGraphs graphs{grid(a), grid(b), {}};
  const auto overlap = [](int i, int n, int j, int m) {
    return i * m < (j + 1) * n && j * n < (i + 1) * m;
  };
  for (int ka = 0; ka < a[2]; ++ka) {
    for (int kb = 0; kb < b[2]; ++kb) {
      for (int ja = 0; overlap(ka, a[2], kb, b[2]) && ja < a[1]; ++ja) {
        for (int jb = 0; jb < b[1]; ++jb) {
          if (overlap(ja, a[1], jb, b[1])) {
            graphs.links.push_back({(static_cast<GlobalIndex>(ka) * a[1] + ja + 1) * a[0] - 1,
                                    (static_cast<GlobalIndex>(kb) * b[1] + jb) * b[0]});
          }
        }
      }
    }
  }
  return graphs;
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

void print(const char* way, int p, int q, const CoupledGraphs& graphs, const CoupledParts& of,
           double seconds) {
  const CouplingQuality c = assess_coupling(graphs, of, p, q);
  fmt::print("{},{},{},{},{},{:.4f},{:.4f},{},{},{:.4f},{:.4f},{:.3f}\n", way, p, q, c.pairs,
             c.most_partners, c.interface_a, c.interface_b, c.cut_a, c.cut_b, c.imbalance_a,
             c.imbalance_b, seconds);
}

} // namespace

void measure_coupled(std::span<const int> ranks) {
  const CoupledGraphs graphs = boxes();
  fmt::print("way,ranks_a,ranks_b,pairs,most_partners,interface_a,interface_b,cut_a,cut_b,"
             "imbalance_a,imbalance_b,seconds\n");
  for (std::size_t i = 0; i + 1 < ranks.size(); i += 2) {
    const int p = ranks[i];
    const int q = ranks[i + 1];
    for (const bool with_interface : {false, true}) {
      const double start = now();
      const CoupledParts of = independent(graphs, p, q, with_interface);
      print(with_interface ? "balanced" : "volume", p, q, graphs, of, now() - start);
    }
    const double start = now();
    const CoupledParts of = divide_coupled(graphs, p, q);
    print("coupled", p, q, graphs, of, now() - start);
  }
}
