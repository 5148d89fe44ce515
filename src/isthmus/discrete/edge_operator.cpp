// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/edge_operator.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/exchange/gather.hpp"

#include <algorithm>

namespace isthmus::discrete {

namespace {

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

} // namespace

EdgeOperator::EdgeOperator(const TetMesh& mesh, const exchange::InterfacePlan& plan,
                           const Transport& transport) {
  std::vector<char> is_shared(mesh.num_nodes(), 0);
  for (const LocalIndex node : plan.shared) {
    is_shared[static_cast<std::size_t>(node)] = 1;
  }
  const NodeGraph graph = node_graph(mesh);
  std::vector<Edge*> place(graph.neighbours.size()); // of the edge to a higher neighbour
  reserve_edges(graph, is_shared);
  for (std::size_t i = 0; i < mesh.num_nodes(); ++i) {
    for (std::size_t k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(graph.neighbours[k]);
      if (j > i) {
        Part& part = is_shared[i] != 0 || is_shared[j] != 0 ? interface_ : interior_;
        const auto node = static_cast<LocalIndex>(i);
        if (part.rows.empty() || part.rows.back().i != node) {
          part.rows.push_back({node, 0});
        }
        ++part.rows.back().num_edges;
        place[k] = &part.edges.emplace_back(Edge{graph.neighbours[k], 0, 0});
      }
    }
  }
  for (const auto& tet : mesh.tets) {
    const LinearTet linear = linear_tet(mesh, tet);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        if (tet[a] < tet[b]) {
          Edge& edge = *place[graph.place_of(tet[a], tet[b])];
          const double diffusion =
              transport.diffusion * linear.volume * dot(linear.gradients[a], linear.gradients[b]);
          const double mass = linear.volume / 4; // integral of a function
          edge.ij += diffusion + mass * dot(transport.velocity, linear.gradients[b]);
          edge.ji += diffusion + mass * dot(transport.velocity, linear.gradients[a]);
        }
      }
    }
  }
}

/// So that edges stay where they are.
void EdgeOperator::reserve_edges(const NodeGraph& graph, std::span<const char> is_shared) {
  std::size_t interface = 0;
  for (std::size_t i = 0; i < is_shared.size(); ++i) {
    for (std::size_t k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(graph.neighbours[k]);
      interface += j > i && (is_shared[i] != 0 || is_shared[j] != 0) ? 1 : 0;
    }
  }
  interface_.edges.reserve(interface);
  interior_.edges.reserve(graph.neighbours.size() / 2 - interface);
}

void EdgeOperator::Part::add(int components, std::span<const double> x, std::span<double> y) const {
  constexpr std::size_t most = 4;
  check(components > 0 && components <= static_cast<int>(most),
        "edge operator: {} values per node; give 1 to {}", components, most);
  exchange::with_width(static_cast<std::size_t>(components), [&](auto width) {
    const Edge* edge = edges.data();
    for (const Row& row : rows) {
      std::array<double, most> xi{};
      std::array<double, most> sum{};
      for (std::size_t c = 0; c < width; ++c) {
        xi[c] = x[static_cast<std::size_t>(row.i) * width + c];
      }
      for (const Edge* const end = edge + row.num_edges; edge != end; ++edge) {
        const std::size_t j = static_cast<std::size_t>(edge->j) * width;
        for (std::size_t c = 0; c < width; ++c) {
          const double difference = x[j + c] - xi[c];
          sum[c] += edge->ij * difference;
          y[j + c] -= edge->ji * difference;
        }
      }
      for (std::size_t c = 0; c < width; ++c) {
        y[static_cast<std::size_t>(row.i) * width + c] += sum[c];
      }
    }
  });
}

void EdgeOperator::apply_local(int components, std::span<const double> x,
                               std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  interface_.add(components, x, y);
  interior_.add(components, x, y);
}

void EdgeOperator::apply(exchange::InterfaceSum& sum, int components, std::span<const double> x,
                         std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  interface_.add(components, x, y);
  sum.begin(y);
  interior_.add(components, x, y);
  sum.finish(y);
}

} // namespace isthmus::discrete
