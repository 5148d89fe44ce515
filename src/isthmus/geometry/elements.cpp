// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/elements.hpp"

#include <algorithm>

namespace isthmus::geometry {
namespace {

using Edge = std::array<LocalIndex, 2>;

Edge ascending(LocalIndex a, LocalIndex b) {
  return a < b ? Edge{a, b} : Edge{b, a};
}

template <typename Visit>
void for_each_edge(std::span<const LocalIndex> edges, Visit&& visit) {
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    visit(ascending(edges[i], edges[i + 1]));
  }
}

template <typename Visit>
void for_each_triangle_edge(std::span<const LocalIndex> triangles, Visit&& visit) {
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    visit(ascending(triangles[i], triangles[i + 1]));
    visit(ascending(triangles[i + 1], triangles[i + 2]));
    visit(ascending(triangles[i + 2], triangles[i]));
  }
}

// A set of edges, sorted into one row for each lower vertex.
class EdgeRows {
 public:
  // `for_each(visit)` names the edges.
  template <typename ForEach>
  EdgeRows(std::size_t vertices, const ForEach& for_each) : begin_(vertices + 1), end_(vertices) {
    for_each([&](const Edge& e) { ++begin_[std::size_t(e[0]) + 1]; });
    for (std::size_t i = 0; i < vertices; ++i) {
      begin_[i + 1] += begin_[i];
      end_[i] = begin_[i];
    }
    upper_.resize(begin_[vertices]);
    for_each([&](const Edge& e) { upper_[end_[std::size_t(e[0])]++] = e[1]; });
  }

  void erase(const Edge& edge) {
    std::size_t& end = end_[std::size_t(edge[0])];
    for (std::size_t i = begin_[std::size_t(edge[0])]; i < end;) {
      if (upper_[i] == edge[1]) {
        upper_[i] = upper_[--end];
      } else {
        ++i;
      }
    }
  }

  [[nodiscard]] std::vector<Edge> unique() {
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < end_.size(); ++v) {
      const auto first = upper_.begin() + std::ptrdiff_t(begin_[v]);
      const auto last = upper_.begin() + std::ptrdiff_t(end_[v]);
      std::sort(first, last);
      std::for_each(first, std::unique(first, last), [&](LocalIndex upper) {
        edges.push_back({static_cast<LocalIndex>(v), upper});
      });
    }
    return edges;
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> end_;
  std::vector<LocalIndex> upper_;
};

} // namespace

Elements::Elements(int dim, std::size_t vertices, std::span<const LocalIndex> edges,
                   std::span<const LocalIndex> triangles) {
  if (dim == 3) {
    triangles_ = triangles.first(triangles.size() / 3 * 3);
    if (!edges.empty()) {
      EdgeRows rows(vertices, [&](auto&& visit) { for_each_edge(edges, visit); });
      for_each_triangle_edge(triangles, [&](const Edge& edge) { rows.erase(edge); });
      edges_ = rows.unique();
    }
  } else {
    edges_ = EdgeRows(vertices, [&](auto&& visit) {
               for_each_edge(edges, visit);
               for_each_triangle_edge(triangles, visit);
             }).unique();
  }
  std::vector<char> used(vertices);
  for (const LocalIndex id : triangles_) {
    used[std::size_t(id)] = 1;
  }
  for (const Edge& edge : edges_) {
    used[std::size_t(edge[0])] = 1;
    used[std::size_t(edge[1])] = 1;
  }
  for (std::size_t i = 0; i < vertices; ++i) {
    if (used[i] == 0) {
      vertices_.push_back(static_cast<LocalIndex>(i));
    }
  }
}

} // namespace isthmus::geometry
