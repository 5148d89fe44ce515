// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/order.hpp"

#include "isthmus/geometry/box.hpp"
#include "isthmus/partition/hilbert.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace isthmus::partition {

namespace {

/// Nodes of one component by distance from the first.
struct Levels {
  std::vector<LocalIndex> nodes;
  std::vector<std::size_t> begins; // of the levels, and the end of the last
};

class Search {
 public:
  explicit Search(Adjacency graph) : graph_(graph), seen_(graph.size(), 0) {}

  [[nodiscard]] bool has_seen(LocalIndex node) const {
    return seen_[static_cast<std::size_t>(node)] != 0;
  }

  /// Breadth first; `sort` arranges the nodes that one node adds. Keeps what it has seen.
  template <typename Sort>
  Levels from(LocalIndex start, Sort sort) {
    Levels levels{{start}, {0, 1}};
    seen_[static_cast<std::size_t>(start)] = 1;
    for (std::size_t at = 0; at < levels.nodes.size();) {
      const std::size_t end = levels.nodes.size();
      for (; at < end; ++at) {
        const auto added = static_cast<std::ptrdiff_t>(levels.nodes.size());
        for (const LocalIndex node : graph_.of(levels.nodes[at])) {
          if (!has_seen(node)) {
            seen_[static_cast<std::size_t>(node)] = 1;
            levels.nodes.push_back(node);
          }
        }
        sort(std::span(levels.nodes).subspan(static_cast<std::size_t>(added)));
      }
      if (levels.nodes.size() > end) {
        levels.begins.push_back(levels.nodes.size());
      }
    }
    return levels;
  }

  void forget(const Levels& levels) {
    for (const LocalIndex node : levels.nodes) {
      seen_[static_cast<std::size_t>(node)] = 0;
    }
  }

  [[nodiscard]] std::size_t degree(LocalIndex node) const { return graph_.of(node).size(); }

 private:
  Adjacency graph_;
  std::vector<char> seen_;
};

/// A node at one end of the component of `start`.
LocalIndex peripheral(Search& search, LocalIndex start) {
  const auto leave = [](std::span<LocalIndex>) {};
  std::size_t depth = 0;
  while (true) {
    const Levels levels = search.from(start, leave);
    search.forget(levels);
    if (levels.begins.size() <= depth) {
      return start;
    }
    depth = levels.begins.size();
    const auto last = levels.nodes.begin() + static_cast<std::ptrdiff_t>(levels.begins[depth - 2]);
    start = *std::min_element(last, levels.nodes.end(), [&search](LocalIndex a, LocalIndex b) {
      return search.degree(a) < search.degree(b);
    });
  }
}

/// The levels of all components, each from one of its ends, in reverse.
template <typename Sort, typename Arrange>
std::vector<LocalIndex> reverse_levels(Adjacency graph, Sort sort, Arrange arrange) {
  Search search(graph);
  std::vector<LocalIndex> order;
  order.reserve(graph.size());
  for (LocalIndex node = 0; static_cast<std::size_t>(node) < graph.size(); ++node) {
    if (!search.has_seen(node)) {
      Levels levels = search.from(peripheral(search, node), sort);
      arrange(levels);
      order.insert(order.end(), levels.nodes.begin(), levels.nodes.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<std::uint64_t> hilbert_keys(int dim, std::span<const double> coords) {
  const std::size_t n = geometry::point_count(dim, coords);
  const int bits = dim == 3 ? 21 : 31;
  geometry::Box box;
  for (std::size_t i = 0; i < n; ++i) {
    box.expand(geometry::point_at(dim, coords, i));
  }
  const double edge = n > 0 ? box.longest_edge() : 0;
  const auto last = static_cast<double>((std::uint32_t{1} << bits) - 1);
  const double scale = edge > 0 ? last / edge : 0;
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const geometry::Point point = geometry::point_at(dim, coords, i);
    std::array<std::uint32_t, 3> cell{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
      cell[k] = static_cast<std::uint32_t>((point[k] - box.lo[k]) * scale);
    }
    keys[i] = hilbert_key(dim, bits, cell);
  }
  return keys;
}

} // namespace

std::vector<LocalIndex> reverse_cuthill_mckee(Adjacency graph) {
  return reverse_levels(
      graph,
      [graph](std::span<LocalIndex> added) {
        std::stable_sort(added.begin(), added.end(), [graph](LocalIndex a, LocalIndex b) {
          return graph.of(a).size() < graph.of(b).size();
        });
      },
      [](Levels&) {});
}

std::vector<LocalIndex> levels_along_hilbert(Adjacency graph, int dim,
                                             std::span<const double> coords) {
  const std::vector<std::uint64_t> keys = hilbert_keys(dim, coords);
  return reverse_levels(
      graph, [](std::span<LocalIndex>) {},
      [&keys](Levels& levels) {
        const auto nodes = levels.nodes.begin();
        for (std::size_t level = 0; level + 1 < levels.begins.size(); ++level) {
          std::stable_sort(nodes + static_cast<std::ptrdiff_t>(levels.begins[level]),
                           nodes + static_cast<std::ptrdiff_t>(levels.begins[level + 1]),
                           [&keys](LocalIndex a, LocalIndex b) {
                             return keys[static_cast<std::size_t>(a)] <
                                    keys[static_cast<std::size_t>(b)];
                           });
        }
      });
}

std::vector<LocalIndex> hilbert_order(int dim, std::span<const double> coords) {
  const std::vector<std::uint64_t> keys = hilbert_keys(dim, coords);
  std::vector<LocalIndex> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&keys](LocalIndex a, LocalIndex b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  return order;
}

std::vector<LocalIndex> inverse(std::span<const LocalIndex> order) {
  std::vector<LocalIndex> numbers(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    numbers[static_cast<std::size_t>(order[k])] = static_cast<LocalIndex>(k);
  }
  return numbers;
}

OrderReport report(Adjacency graph, std::span<const LocalIndex> order) {
  const std::vector<LocalIndex> numbers = inverse(order);
  OrderReport result;
  double distances = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::int64_t first = static_cast<std::int64_t>(k);
    for (const LocalIndex neighbour : graph.of(order[k])) {
      const std::int64_t at = numbers[static_cast<std::size_t>(neighbour)];
      const std::int64_t distance = std::abs(at - static_cast<std::int64_t>(k));
      result.bandwidth = std::max(result.bandwidth, distance);
      distances += static_cast<double>(distance);
      first = std::min(first, at);
    }
    result.profile += static_cast<std::int64_t>(k) - first;
  }
  const auto pairs = static_cast<double>(std::max<std::size_t>(1, graph.neighbours.size()));
  result.mean_distance = distances / pairs;
  return result;
}

} // namespace isthmus::partition
