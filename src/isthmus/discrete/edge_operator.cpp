// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/edge_operator.hpp"

#include <algorithm>

namespace isthmus::discrete {

namespace {

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Number of the edge from a node to a higher neighbour; edges are given by the places of the
/// higher neighbours in the graph.
class EdgeNumbers {
 public:
  EdgeNumbers(const NodeGraph& graph, const std::vector<char>& is_shared)
      : graph_(graph), numbers_(graph.neighbours.size()) {
    const auto number = [&](bool interface) {
      for (std::size_t i = 0; i < is_shared.size(); ++i) {
        for (std::size_t k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
          const auto j = static_cast<std::size_t>(graph.neighbours[k]);
          if (j > i && (is_shared[i] != 0 || is_shared[j] != 0) == interface) {
            numbers_[k] = static_cast<LocalIndex>(nodes_.size());
            nodes_.push_back({static_cast<LocalIndex>(i), graph.neighbours[k]});
          }
        }
      }
    };
    number(true);
    num_interface_ = nodes_.size();
    number(false);
  }

  [[nodiscard]] std::size_t of(LocalIndex low, LocalIndex high) const {
    const auto begin = graph_.neighbours.begin();
    const auto row = static_cast<std::size_t>(low);
    const auto at =
        std::lower_bound(begin + static_cast<std::ptrdiff_t>(graph_.offsets[row]),
                         begin + static_cast<std::ptrdiff_t>(graph_.offsets[row + 1]), high);
    return static_cast<std::size_t>(numbers_[static_cast<std::size_t>(at - begin)]);
  }
  [[nodiscard]] std::span<const std::array<LocalIndex, 2>> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t num_interface() const { return num_interface_; }

 private:
  const NodeGraph& graph_;
  std::vector<LocalIndex> numbers_;
  std::vector<std::array<LocalIndex, 2>> nodes_;
  std::size_t num_interface_ = 0;
};

} // namespace

EdgeOperator::EdgeOperator(const TetMesh& mesh, const exchange::InterfacePlan& plan,
                           const Transport& transport) {
  std::vector<char> is_shared(mesh.num_nodes(), 0);
  for (const LocalIndex node : plan.shared) {
    is_shared[static_cast<std::size_t>(node)] = 1;
  }
  const NodeGraph graph = node_graph(mesh);
  const EdgeNumbers numbers(graph, is_shared);
  num_interface_ = numbers.num_interface();
  edges_.reserve(numbers.nodes().size());
  for (const auto& [i, j] : numbers.nodes()) {
    edges_.push_back({i, j, 0, 0});
  }
  for (const auto& tet : mesh.tets) {
    const LinearTet linear = linear_tet(mesh, tet);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        if (tet[a] < tet[b]) {
          Edge& edge = edges_[numbers.of(tet[a], tet[b])];
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

void EdgeOperator::add(std::size_t first, std::size_t last, std::span<const double> x,
                       std::span<double> y) const {
  const double* const in = x.data();
  double* const out = y.data();
  for (const Edge& edge : std::span(edges_).subspan(first, last - first)) {
    const double difference = in[edge.j] - in[edge.i];
    out[edge.i] += edge.ij * difference;
    out[edge.j] -= edge.ji * difference;
  }
}

void EdgeOperator::apply_local(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  add(0, edges_.size(), x, y);
}

void EdgeOperator::apply(exchange::InterfaceSum& sum, std::span<const double> x,
                         std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  add(0, num_interface_, x, y);
  sum.begin(y);
  add(num_interface_, edges_.size(), x, y);
  sum.finish(y);
}

} // namespace isthmus::discrete
