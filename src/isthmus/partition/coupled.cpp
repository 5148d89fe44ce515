// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/coupled.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/partition/points.hpp"
#include "isthmus/partition/quality.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace isthmus::partition {

namespace {

using Numbers = std::vector<GlobalIndex>;

constexpr double interface_tolerance = 1.05; // of the follower's intervals

void check_links(const CoupledGraphs& graphs) {
  const auto a = static_cast<GlobalIndex>(graphs.a.num_vertices());
  const auto b = static_cast<GlobalIndex>(graphs.b.num_vertices());
  check(graphs.coords.size() == graphs.a.num_vertices() * static_cast<std::size_t>(graphs.dim),
        "{} coordinates for {} vertices in {} dimensions", graphs.coords.size(), a, graphs.dim);
  for (const Edge& link : graphs.links) {
    check(link.a >= 0 && link.a < a && link.b >= 0 && link.b < b,
          "there is no link from vertex {} of {} to vertex {} of {}", link.a, a, link.b, b);
  }
}

// Vertices of a that have links, along a curve.
Numbers interface_of_a(const CoupledGraphs& graphs) {
  const Numbers at = linked(graphs.a.num_vertices(), graphs.links, false);
  const auto dim = static_cast<std::size_t>(graphs.dim);
  Numbers vertices;
  std::vector<double> coords;
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (at[v] > 0) {
      vertices.push_back(static_cast<GlobalIndex>(v));
      coords.insert(coords.end(), graphs.coords.begin() + static_cast<std::ptrdiff_t>(v * dim),
                    graphs.coords.begin() + static_cast<std::ptrdiff_t>((v + 1) * dim));
    }
  }
  if (vertices.empty()) {
    return vertices;
  }
  const auto count = static_cast<int>(vertices.size()); // a part for each vertex: the order
  const std::vector<int> place = cut_curve(comm::Comm(), {graphs.dim, coords, {}}, count);
  Numbers ordered(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    ordered[static_cast<std::size_t>(place[i])] = vertices[i];
  }
  return ordered;
}

// Vertices of b that have links, in the order of those of a with which they exchange most, and the
// parts of these.
struct Followers {
  Numbers vertices;
  std::vector<int> parts_of_a;
};

Followers interface_of_b(const CoupledGraphs& graphs, const Numbers& interface_a,
                         const Parts& parts_of_a) {
  Numbers place(graphs.a.num_vertices(), 0);
  for (std::size_t i = 0; i < interface_a.size(); ++i) {
    place[static_cast<std::size_t>(interface_a[i])] = static_cast<GlobalIndex>(i);
  }
  std::vector<Edge> best(graphs.b.num_vertices(), {-1, -1, -1}); // link of each vertex of b
  for (const Edge& link : graphs.links) {
    Edge& known = best[static_cast<std::size_t>(link.b)];
    if (link.weight > known.weight) {
      known = link;
    }
  }
  std::erase_if(best, [](const Edge& link) { return link.a < 0; });
  std::stable_sort(best.begin(), best.end(), [&place](const Edge& x, const Edge& y) {
    return place[static_cast<std::size_t>(x.a)] < place[static_cast<std::size_t>(y.a)];
  });
  Followers followers;
  for (const Edge& link : best) {
    followers.vertices.push_back(link.b);
    followers.parts_of_a.push_back(parts_of_a[static_cast<std::size_t>(link.a)]);
  }
  return followers;
}

Parts fix_intervals(std::size_t vertices, const Numbers& interface, const Numbers& ends) {
  Parts fixed(vertices, -1);
  std::size_t i = 0;
  for (std::size_t part = 0; part < ends.size(); ++part) {
    for (; i < static_cast<std::size_t>(ends[part]); ++i) {
      fixed[static_cast<std::size_t>(interface[i])] = static_cast<int>(part);
    }
  }
  return fixed;
}

Numbers equal_ends(std::size_t count, int parts) {
  Numbers ends;
  for (int part = 1; part <= parts; ++part) {
    ends.push_back((static_cast<GlobalIndex>(count) * part + parts / 2) / parts);
  }
  return ends;
}

// Nearly equal intervals that end, as far as their tolerance allows, where those of a do.
Numbers matching_ends(const std::vector<int>& parts_of_a, int parts) {
  const auto count = static_cast<GlobalIndex>(parts_of_a.size());
  const auto most = std::max((count + parts - 1) / parts,
                             static_cast<GlobalIndex>(interface_tolerance * count / parts));
  const GlobalIndex slack = most - count / parts;
  Numbers ends = equal_ends(parts_of_a.size(), parts);
  GlobalIndex before = 0;
  for (int part = 1; part < parts; ++part) {
    GlobalIndex& end = ends[static_cast<std::size_t>(part - 1)];
    const GlobalIndex low = std::max(before, count - (parts - part) * most);
    const GlobalIndex high = before + most;
    const GlobalIndex ideal = std::clamp(end, low, high);
    end = ideal;
    for (GlobalIndex shift = slack; shift >= 0; --shift) { // the nearest is found last
      for (const GlobalIndex at : {ideal - shift, ideal + shift}) {
        if (at > before && at >= low && at <= high && at < count &&
            parts_of_a[static_cast<std::size_t>(at)] !=
                parts_of_a[static_cast<std::size_t>(at - 1)]) {
          end = at;
        }
      }
    }
    before = end;
  }
  return ends;
}

// Work and interface of one side, judged together.
Quality assess_side(const Graph& graph, const Numbers& interface, const Parts& of, int parts) {
  Graph two{graph.offsets, graph.targets, graph.edge_weights, 2, {}};
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    two.weights.insert(two.weights.end(), {graph.weight(v), interface[v]});
  }
  return assess(comm::Comm(), two, of, parts);
}

} // namespace

CoupledParts divide_coupled(const CoupledGraphs& graphs, int parts_a, int parts_b,
                            double tolerance) {
  check_links(graphs);
  check(parts_a >= 1 && parts_b >= 1, "{} and {} parts are asked for; 1 is the least", parts_a,
        parts_b);
  const Numbers interface_a = interface_of_a(graphs);
  const Parts fixed_a =
      fix_intervals(graphs.a.num_vertices(), interface_a, equal_ends(interface_a.size(), parts_a));
  const Followers b = interface_of_b(graphs, interface_a, fixed_a);
  Parts fixed_b =
      fix_intervals(graphs.b.num_vertices(), b.vertices, matching_ends(b.parts_of_a, parts_b));
  return {divide_around(graphs.a, parts_a, fixed_a, tolerance),
          divide_around(graphs.b, parts_b, std::move(fixed_b), tolerance)};
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
  const Quality a = assess_side(graphs.a, linked(of.a.size(), graphs.links, false), of.a, parts_a);
  const Quality b = assess_side(graphs.b, linked(of.b.size(), graphs.links, true), of.b, parts_b);
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
