// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/edge_matrix.hpp"

#include "convection/numerics/blocks.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/vector.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

namespace {

/// y += A x of one block.
template <std::size_t width>
void add_block(const double* a, const double* x, double* y) {
  for (std::size_t r = 0; r < width; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) {
      sum += a[r * width + c] * x[c];
    }
    y[r] += sum;
  }
}

} // namespace

template <std::size_t width>
EdgeMatrix<width>::EdgeMatrix(const comm::Comm& comm, const Mesh& mesh, const Edges& edges,
                              const SumWay& way)
    : comm_(comm),
      edges_(edges),
      weights_(mesh.tets.num_nodes(), 1),
      pairs_(2 * block * edges.ends.size()),
      diagonal_(block * mesh.tets.num_nodes()),
      unscaled_(width * mesh.tets.num_nodes()),
      is_fixed_(width * mesh.tets.num_nodes(), 0),
      sum_(comm, mesh.plan, static_cast<int>(width), way),
      block_sum_(comm, mesh.plan, static_cast<int>(block), way) {
  for (std::size_t i = 0; i < mesh.plan.shared.size(); ++i) {
    weights_[static_cast<std::size_t>(mesh.plan.shared[i])] =
        1 / std::sqrt(static_cast<double>(mesh.plan.sharers_of(i).size()));
  }
}

template <std::size_t width>
void EdgeMatrix<width>::clear() {
  std::fill(pairs_.begin(), pairs_.end(), 0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0);
}

template <std::size_t width>
void EdgeMatrix<width>::add(const Element& element, const ElementMatrix<width>& matrix) {
  for (std::size_t p = 0; p < element_pairs.size(); ++p) {
    const auto [first, second] = element_pairs[p];
    const bool ascends = element.nodes[first] < element.nodes[second];
    const std::size_t i = ascends ? first : second;
    const std::size_t j = ascends ? second : first;
    double* const pair = &pairs_[2 * block * element.edges[p]];
    for (std::size_t n = 0; n < block; ++n) {
      pair[n] += matrix[i][j][n];
      pair[block + n] += matrix[j][i][n];
    }
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t n = 0; n < block; ++n) {
      diagonal_[block * element.nodes[a] + n] += matrix[a][a][n];
    }
  }
}

template <std::size_t width>
void EdgeMatrix<width>::add_edges(std::size_t first, std::size_t last, std::span<const double> x,
                                  std::span<double> y) const {
  for (std::size_t e = first; e < last; ++e) {
    const std::size_t i = width * static_cast<std::size_t>(edges_.ends[e].i);
    const std::size_t j = width * static_cast<std::size_t>(edges_.ends[e].j);
    const double* const pair = &pairs_[2 * block * e];
    add_block<width>(pair, &x[j], &y[i]);
    add_block<width>(pair + block, &x[i], &y[j]);
  }
}

template <std::size_t width>
void EdgeMatrix<width>::apply(std::span<const double> x, std::span<double> y, la::Overlap overlap) {
  std::copy(x.begin(), x.end(), unscaled_.begin());
  unscale(unscaled_);
  std::fill(y.begin(), y.end(), 0);
  for (std::size_t n = 0; n < weights_.size(); ++n) {
    add_block<width>(&diagonal_[block * n], &unscaled_[width * n], &y[width * n]);
  }
  add_edges(0, edges_.num_interface, unscaled_, y);
  sum_.with_work(y, [this, &overlap, y](const auto& let_travel) {
    constexpr std::size_t most = 2048; // edges of some tens of microseconds
    std::size_t piece = most / 8;      // neighbours are often there at once
    overlap.progress();
    bool is_under_way = true;
    for (std::size_t e = edges_.num_interface; e < edges_.ends.size(); e += piece) {
      piece = std::min(2 * piece, most);
      add_edges(e, std::min(e + piece, edges_.ends.size()), unscaled_, y);
      is_under_way = is_under_way && let_travel();
    }
  });
  for (std::size_t n = 0; n < y.size(); ++n) {
    y[n] = is_fixed_[n] != 0 ? unscaled_[n] : y[n];
  }
  scale(y);
}

template <std::size_t width>
void EdgeMatrix<width>::scale(std::span<double> values) const {
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] *= weights_[n / width];
  }
}

template <std::size_t width>
void EdgeMatrix<width>::unscale(std::span<double> values) const {
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] /= weights_[n / width];
  }
}

template <std::size_t width>
double EdgeMatrix<width>::norm(std::span<const double> scaled) const {
  return std::sqrt(comm::allreduce(comm_, la::local_dot(scaled, scaled), comm::Op::sum));
}

template <std::size_t width>
std::vector<double> EdgeMatrix<width>::diagonal() {
  std::vector<double> result = diagonal_;
  block_sum_(result);
  for (std::size_t n = 0; n < is_fixed_.size(); ++n) {
    const std::size_t node = n / width;
    const std::size_t row = n % width;
    for (std::size_t c = 0; c < width && is_fixed_[n] != 0; ++c) {
      result[block * node + row * width + c] = c == row ? 1 : 0;
      result[block * node + c * width + row] = c == row ? 1 : 0;
    }
  }
  return result;
}

template <std::size_t width>
NodalBlocks<width>::NodalBlocks(std::span<const double> blocks) : inverse_(blocks.size()) {
  constexpr std::size_t block = width * width;
  for (std::size_t n = 0; n < blocks.size(); n += block) {
    std::array<double, block> values{};
    std::copy_n(blocks.begin() + static_cast<std::ptrdiff_t>(n), block, values.begin());
    check(invert<width>(values, &inverse_[n]),
          "the block of a node cannot be inverted: a step is too large, or values are no numbers");
  }
}

template <std::size_t width>
void NodalBlocks<width>::apply(std::span<const double> r, std::span<double> z,
                               la::Overlap overlap) {
  std::fill(z.begin(), z.end(), 0);
  for (std::size_t n = 0; n < r.size(); n += width) {
    add_block<width>(&inverse_[n * width], &r[n], &z[n]);
  }
  overlap.progress();
}

template class EdgeMatrix<1>;
template class EdgeMatrix<4>;
template class NodalBlocks<1>;
template class NodalBlocks<4>;

} // namespace isthmus::convection
