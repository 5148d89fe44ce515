// SPDX-License-Identifier: BSD-3-Clause
// The operator of discrete::EdgeOperator as a plain loop over edges in any order, for comparison.
#pragma once

#include "isthmus/discrete/edge_operator.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

class EdgeList {
 public:
  /// Edges in the order in which the tetrahedra meet them, or ascending by nodes.
  EdgeList(const isthmus::discrete::TetMesh& mesh, const isthmus::discrete::Transport& transport,
           bool sorted) {
    const isthmus::discrete::NodeGraph graph = isthmus::discrete::node_graph(mesh);
    std::vector<std::size_t> number(graph.neighbours.size(), none);
    for (const auto& tet : mesh.tets) {
      const isthmus::discrete::LinearTet linear = isthmus::discrete::linear_tet(mesh, tet);
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
          if (tet[a] < tet[b]) {
            std::size_t& edge = number[graph.place_of(tet[a], tet[b])];
            if (edge == none) {
              edge = edges_.size();
              edges_.push_back({tet[a], tet[b], 0, 0});
            }
            add(edges_[edge], linear, transport, a, b);
          }
        }
      }
    }
    if (sorted) {
      std::sort(edges_.begin(), edges_.end(), [](const Edge& x, const Edge& y) {
        return std::pair(x.i, x.j) < std::pair(y.i, y.j);
      });
    }
  }

  void apply(std::span<const double> x, std::span<double> y) const {
    std::fill(y.begin(), y.end(), 0.0);
    const double* const in = x.data();
    double* const out = y.data();
    for (const Edge& edge : edges_) {
      const double difference = in[edge.j] - in[edge.i];
      out[edge.i] += edge.ij * difference;
      out[edge.j] -= edge.ji * difference;
    }
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Edge {
    isthmus::LocalIndex i, j;
    double ij, ji;
  };

  static void add(Edge& edge, const isthmus::discrete::LinearTet& linear,
                  const isthmus::discrete::Transport& transport, std::size_t a, std::size_t b) {
    const auto dot = [](const auto& u, const auto& v) {
      return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    };
    const auto& g = linear.gradients;
    const double diffusion = transport.diffusion * linear.volume * dot(g[a], g[b]);
    edge.ij += diffusion + linear.volume / 4 * dot(transport.velocity, g[b]);
    edge.ji += diffusion + linear.volume / 4 * dot(transport.velocity, g[a]);
  }

  std::vector<Edge> edges_;
};
