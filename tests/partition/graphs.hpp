// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/graph.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace graphs {

using isthmus::GlobalIndex;
using isthmus::partition::Edge;
using isthmus::partition::Graph;

/// Cells of a box and their neighbours across faces.
inline Graph grid(int nx, int ny, int nz) {
  std::vector<Edge> edges;
  const auto number = [&](int i, int j, int k) {
    return (static_cast<GlobalIndex>(k) * ny + j) * nx + i;
  };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        if (i + 1 < nx) {
          edges.push_back({number(i, j, k), number(i + 1, j, k)});
        }
        if (j + 1 < ny) {
          edges.push_back({number(i, j, k), number(i, j + 1, k)});
        }
        if (k + 1 < nz) {
          edges.push_back({number(i, j, k), number(i, j, k + 1)});
        }
      }
    }
  }
  return make_graph(static_cast<std::size_t>(nx) * ny * nz, edges);
}

/// A graph without structure, weights 1 to 9; some vertices may have no neighbours.
inline Graph random(std::size_t vertices, std::size_t edges, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<GlobalIndex> vertex(0, static_cast<GlobalIndex>(vertices) - 1);
  std::uniform_int_distribution<GlobalIndex> weight(1, 9);
  std::vector<Edge> list;
  while (list.size() < edges && vertices > 1) {
    const Edge edge{vertex(engine), vertex(engine), weight(engine)};
    if (edge.a != edge.b) {
      list.push_back(edge);
    }
  }
  Graph graph = make_graph(vertices, list);
  graph.weights.resize(vertices);
  std::generate(graph.weights.begin(), graph.weights.end(), [&] { return weight(engine); });
  return graph;
}

/// The first vertex of a rank when `count` are dealt unevenly: every third rank has none.
inline std::size_t first_of(int rank, int size, std::size_t count) {
  int active = 0;
  int before = 0;
  for (int r = 0; r < size; ++r) {
    const bool has = size == 1 || r % 3 != 1;
    active += has ? 1 : 0;
    before += has && r < rank ? 1 : 0;
  }
  return count * static_cast<std::size_t>(before) / static_cast<std::size_t>(active);
}

/// The rows of this rank of a graph that all ranks have.
inline Graph rows(const isthmus::comm::Comm& comm, const Graph& whole) {
  const std::size_t n = whole.num_vertices();
  const std::size_t begin = first_of(comm.rank(), comm.size(), n);
  const std::size_t end = first_of(comm.rank() + 1, comm.size(), n);
  Graph part;
  part.constraints = whole.constraints;
  const auto width = static_cast<std::size_t>(whole.constraints);
  for (std::size_t v = begin; v < end; ++v) {
    for (auto e = static_cast<std::size_t>(whole.offsets[v]);
         e < static_cast<std::size_t>(whole.offsets[v + 1]); ++e) {
      part.targets.push_back(whole.targets[e]);
      part.edge_weights.push_back(whole.edge_weight(e));
    }
    part.offsets.push_back(static_cast<GlobalIndex>(part.targets.size()));
    for (std::size_t c = 0; c < width; ++c) {
      part.weights.push_back(whole.weight(v, static_cast<int>(c)));
    }
  }
  return part;
}

/// Of something that all ranks have `width` values of for each vertex.
template <typename T>
std::vector<T> piece(const isthmus::comm::Comm& comm, const std::vector<T>& whole,
                     std::size_t width = 1) {
  const std::size_t n = whole.size() / width;
  const auto at = [&](int rank) {
    return whole.begin() + static_cast<std::ptrdiff_t>(width * first_of(rank, comm.size(), n));
  };
  return {at(comm.rank()), at(comm.rank() + 1)};
}

} // namespace graphs
