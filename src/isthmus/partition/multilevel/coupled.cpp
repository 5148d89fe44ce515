// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/coupled.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/partition/points.hpp"
#include "isthmus/partition/quality.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace isthmus::partition {

namespace {

using Numbers = std::vector<GlobalIndex>;

constexpr double interface_tolerance = 1.05; // largest over mean interval

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
  const std::vector<int> position = cut_curve(comm::Comm(), {graphs.dim, coords, {}}, count);
  Numbers ordered(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    ordered[static_cast<std::size_t>(position[i])] = vertices[i];
  }
  return ordered;
}

// Vertices of b that have links, in the order of those of a with which they exchange most, and the
// positions of these.
struct Followers {
  Numbers vertices;
  Numbers positions;
};

Followers interface_of_b(const CoupledGraphs& graphs, const Numbers& interface_a) {
  Numbers position(graphs.a.num_vertices(), 0);
  for (std::size_t i = 0; i < interface_a.size(); ++i) {
    position[static_cast<std::size_t>(interface_a[i])] = static_cast<GlobalIndex>(i);
  }
  std::vector<Edge> best(graphs.b.num_vertices(), {-1, -1, -1}); // link of each vertex of b
  for (const Edge& link : graphs.links) {
    Edge& known = best[static_cast<std::size_t>(link.b)];
    if (link.weight > known.weight) {
      known = link;
    }
  }
  std::erase_if(best, [](const Edge& link) { return link.a < 0; });
  const auto position_of = [&position](const Edge& link) {
    return position[static_cast<std::size_t>(link.a)];
  };
  std::stable_sort(best.begin(), best.end(), [&position_of](const Edge& x, const Edge& y) {
    return position_of(x) < position_of(y);
  });
  Followers followers;
  for (const Edge& link : best) {
    followers.vertices.push_back(link.b);
    followers.positions.push_back(position_of(link));
  }
  return followers;
}

// Intervals of both sides that start and end together.
struct Ends {
  Numbers a;
  Numbers b;
};

Numbers equal_ends(GlobalIndex begin, GlobalIndex end, int parts) {
  Numbers ends;
  for (int part = 1; part <= parts; ++part) {
    ends.push_back(begin + ((end - begin) * part + parts / 2) / parts);
  }
  return ends;
}

// Both sides in `groups` intervals with at most `most_a` and `most_b` vertices, as long as they can
// be; fewer entries if they do not reach the end.
Ends longest_groups(GlobalIndex count_a, const Numbers& positions, int groups, GlobalIndex most_a,
                    GlobalIndex most_b) {
  const auto count_b = static_cast<GlobalIndex>(positions.size());
  Ends ends;
  GlobalIndex a = 0;
  GlobalIndex b = 0;
  for (int group = 0; group < groups && a < count_a; ++group) {
    const GlobalIndex last_a = std::min(count_a, a + most_a);
    const GlobalIndex last_b = std::min(count_b, b + most_b);
    while (a < last_a) { // with all that follow this vertex
      GlobalIndex next = b;
      while (next < count_b && positions[static_cast<std::size_t>(next)] <= a) {
        ++next;
      }
      if (next > last_b) {
        break;
      }
      b = next;
      ++a;
    }
    ends.a.push_back(a);
    ends.b.push_back(b);
  }
  return ends;
}

// How many parts either side makes, in groups of both.
struct Numbering {
  int groups;
  int parts_a;
  int parts_b;
};

// Groups that both sides share, with parts as equal as possible within the tolerance; nothing if
// there are none.
std::optional<Ends> common_groups(GlobalIndex count_a, const Numbers& positions,
                                  const Numbering& n) {
  const auto count_b = static_cast<GlobalIndex>(positions.size());
  for (int step = 0; step <= 50; ++step) {
    const double tolerance = 1.0 + (interface_tolerance - 1.0) * step / 50;
    const auto most = [&](GlobalIndex count, int parts) {
      const double of_part = tolerance * static_cast<double>(count) / parts;
      return static_cast<GlobalIndex>(of_part + 1e-9) * (parts / n.groups);
    };
    Ends ends = longest_groups(count_a, positions, n.groups, most(count_a, n.parts_a),
                               most(count_b, n.parts_b));
    if (ends.a.size() == static_cast<std::size_t>(n.groups) && ends.a.back() == count_a &&
        ends.b.back() == count_b) {
      return ends;
    }
  }
  return std::nullopt;
}

// Nearly equal intervals of positions[begin…end) that end, as far as `most` per interval allows,
// where the part of a changes.
Numbers matching_ends(const std::vector<int>& parts_of_a, GlobalIndex begin, GlobalIndex end,
                      int parts, GlobalIndex most) {
  most = std::max(most, (end - begin + parts - 1) / parts);
  const GlobalIndex slack = most - (end - begin) / parts;
  Numbers ends = equal_ends(begin, end, parts);
  GlobalIndex before = begin;
  for (int part = 1; part < parts; ++part) {
    GlobalIndex& own = ends[static_cast<std::size_t>(part - 1)];
    const GlobalIndex low = std::max(before, end - (parts - part) * most);
    const GlobalIndex high = before + most;
    const GlobalIndex ideal = std::clamp(own, low, high);
    own = ideal;
    for (GlobalIndex shift = slack; shift >= 0; --shift) { // the nearest is found last
      for (const GlobalIndex at : {ideal - shift, ideal + shift}) {
        if (at > before && at >= low && at <= high && at < end &&
            parts_of_a[static_cast<std::size_t>(at)] !=
                parts_of_a[static_cast<std::size_t>(at - 1)]) {
          own = at;
        }
      }
    }
    before = own;
  }
  return ends;
}

std::vector<int> parts_of_positions(const Numbers& ends) {
  std::vector<int> parts;
  for (std::size_t part = 0; part < ends.size(); ++part) {
    parts.resize(static_cast<std::size_t>(ends[part]), static_cast<int>(part));
  }
  return parts;
}

// Ends of the parts of both sides, from those of groups.
Ends divide_groups(const Ends& common, const Numbers& positions, const Numbering& n) {
  Ends ends;
  GlobalIndex before_a = 0;
  for (const GlobalIndex end : common.a) {
    const Numbers own = equal_ends(before_a, end, n.parts_a / n.groups);
    ends.a.insert(ends.a.end(), own.begin(), own.end());
    before_a = end;
  }
  const std::vector<int> part = parts_of_positions(ends.a);
  std::vector<int> followed;
  for (const GlobalIndex position : positions) {
    followed.push_back(part[static_cast<std::size_t>(position)]);
  }
  const auto most = static_cast<GlobalIndex>(interface_tolerance *
                                             static_cast<double>(positions.size()) / n.parts_b);
  GlobalIndex before_b = 0;
  for (const GlobalIndex end : common.b) {
    const Numbers own = matching_ends(followed, before_b, end, n.parts_b / n.groups, most);
    ends.b.insert(ends.b.end(), own.begin(), own.end());
    before_b = end;
  }
  return ends;
}

// The interface in intervals, -1 for the others.
Parts fix(std::size_t vertices, const Numbers& interface, const Numbers& ends) {
  const std::vector<int> of_positions = parts_of_positions(ends);
  Parts fixed(vertices, -1);
  for (std::size_t i = 0; i < interface.size(); ++i) {
    fixed[static_cast<std::size_t>(interface[i])] = of_positions[i];
  }
  return fixed;
}

std::set<std::pair<int, int>> pairs_of(std::span<const Edge> links, const CoupledParts& of) {
  std::set<std::pair<int, int>> pairs;
  for (const Edge& link : links) {
    pairs.insert({of.a[static_cast<std::size_t>(link.a)], of.b[static_cast<std::size_t>(link.b)]});
  }
  return pairs;
}

// Parts of the interface vertices: equal intervals, or such that end together, whichever leaves
// fewer pairs.
CoupledParts fix_interface(const CoupledGraphs& graphs, int parts_a, int parts_b) {
  const Numbering n{std::gcd(parts_a, parts_b), parts_a, parts_b};
  const Numbers a = interface_of_a(graphs);
  const Followers b = interface_of_b(graphs, a);
  const auto count_a = static_cast<GlobalIndex>(a.size());
  const auto count_b = static_cast<GlobalIndex>(b.positions.size());
  const auto fixed = [&](const Ends& common) {
    const Ends ends = divide_groups(common, b.positions, n);
    return CoupledParts{fix(graphs.a.num_vertices(), a, ends.a),
                        fix(graphs.b.num_vertices(), b.vertices, ends.b)};
  };
  CoupledParts equal = fixed({equal_ends(0, count_a, n.groups), equal_ends(0, count_b, n.groups)});
  if (const std::optional<Ends> common = common_groups(count_a, b.positions, n)) {
    CoupledParts together = fixed(*common);
    if (pairs_of(graphs.links, together).size() < pairs_of(graphs.links, equal).size()) {
      return together;
    }
  }
  return equal;
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
  CoupledParts fixed = fix_interface(graphs, parts_a, parts_b);
  return {divide_around(graphs.a, parts_a, std::move(fixed.a), tolerance),
          divide_around(graphs.b, parts_b, std::move(fixed.b), tolerance)};
}

CouplingQuality assess_coupling(const CoupledGraphs& graphs, const CoupledParts& of, int parts_a,
                                int parts_b) {
  const std::set<std::pair<int, int>> pairs = pairs_of(graphs.links, of);
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
