// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/rebalance.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/partition/refuse.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace isthmus::partition {

namespace {

constexpr int rounds = 50;
constexpr int iterations = 200; // of conjugate gradients

using Loads = std::vector<double>;
using Borders = std::map<std::pair<int, int>, double>; // what is to flow from part to part

std::size_t at(int part) {
  return static_cast<std::size_t>(part);
}

// Potentials whose differences across borders are the smallest flow that evens out the loads:
// L x = load - mean on the graph of parts.
Loads potentials(const Borders& borders, const Loads& surplus) {
  const auto apply = [&](const Loads& x) {
    Loads y(x.size(), 0.0);
    for (const auto& [pair, flow] : borders) {
      y[at(pair.first)] += x[at(pair.first)] - x[at(pair.second)];
    }
    return y;
  };
  const auto dot = [](const Loads& a, const Loads& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  Loads x(surplus.size(), 0.0);
  Loads r = surplus;
  Loads p = r;
  double rr = dot(r, r);
  const double enough = 1e-12 * rr;
  for (int i = 0; i < iterations && rr > enough; ++i) {
    const Loads q = apply(p);
    const double pq = dot(p, q);
    if (pq <= 0.0) {
      break; // parts that touch no others
    }
    const double step = rr / pq;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += step * p[k];
      r[k] -= step * q[k];
    }
    const double next = dot(r, r);
    for (std::size_t k = 0; k < x.size(); ++k) {
      p[k] = r[k] + next / rr * p[k];
    }
    rr = next;
  }
  return x;
}

class Rebalancing {
 public:
  Rebalancing(const Graph& graph, Parts of, int parts)
      : graph_(graph), of_(std::move(of)), loads_(at(parts), 0.0), counts_(at(parts), 0) {
    for (std::size_t v = 0; v < of_.size(); ++v) {
      loads_[at(of_[v])] += static_cast<double>(graph.weight(v));
      ++counts_[at(of_[v])];
    }
    mean_ = std::accumulate(loads_.begin(), loads_.end(), 0.0) / parts;
  }

  Parts run(double tolerance) {
    double before = largest();
    Parts best = of_;
    for (int round = 0; round < rounds && before > tolerance * mean_; ++round) {
      if (!move()) {
        break;
      }
      if (largest() < before) {
        before = largest();
        best = of_;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] double largest() const { return *std::max_element(loads_.begin(), loads_.end()); }

  // Weight of the edges of a vertex to each part next to it, its own among them.
  [[nodiscard]] std::map<int, GlobalIndex> ties(std::size_t v) const {
    std::map<int, GlobalIndex> result;
    for (auto e = static_cast<std::size_t>(graph_.offsets[v]);
         e < static_cast<std::size_t>(graph_.offsets[v + 1]); ++e) {
      result[of_[at(static_cast<int>(graph_.targets[e]))]] += graph_.edge_weight(e);
    }
    return result;
  }

  [[nodiscard]] Borders flows() const {
    Borders borders;
    for (std::size_t v = 0; v < of_.size(); ++v) {
      for (const GlobalIndex target : graph_.neighbours(v)) {
        const int other = of_[static_cast<std::size_t>(target)];
        if (other != of_[v]) {
          borders[{of_[v], other}] = 0.0;
        }
      }
    }
    Loads surplus = loads_;
    for (double& s : surplus) {
      s -= mean_;
    }
    const Loads x = potentials(borders, surplus);
    for (auto& [pair, flow] : borders) {
      flow = x[at(pair.first)] - x[at(pair.second)];
    }
    return borders;
  }

  struct Move {
    GlobalIndex gain; // less cut
    std::size_t vertex;
    int to;
  };

  // One layer of vertices along the borders; whether any moved.
  bool move() {
    Borders left = flows();
    std::vector<Move> moves;
    for (std::size_t v = 0; v < of_.size(); ++v) {
      const std::map<int, GlobalIndex> tied = ties(v);
      const auto own = tied.find(of_[v]);
      const GlobalIndex inner = own == tied.end() ? 0 : own->second;
      for (const auto& [part, weight] : tied) {
        if (part != of_[v] && left.at({of_[v], part}) > 0.0) {
          moves.push_back({weight - inner, v, part});
        }
      }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.gain > b.gain; });
    bool any = false;
    std::vector<char> has_moved(of_.size(), 0);
    for (const Move& m : moves) {
      const int from = of_[m.vertex];
      const auto weight = static_cast<double>(graph_.weight(m.vertex));
      if (has_moved[m.vertex] != 0 || counts_[at(from)] == 1 || weight == 0.0) {
        continue;
      }
      double& flow = left.at({from, m.to});
      if (flow >= 0.5 * weight) {
        flow -= weight;
        loads_[at(from)] -= weight;
        loads_[at(m.to)] += weight;
        --counts_[at(from)];
        ++counts_[at(m.to)];
        of_[m.vertex] = m.to;
        has_moved[m.vertex] = 1;
        any = true;
      }
    }
    return any;
  }

  const Graph& graph_;
  Parts of_;
  Loads loads_;             // of the parts
  std::vector<int> counts_; // vertices of the parts
  double mean_;
};

} // namespace

Parts rebalance(const Graph& graph, Parts of, int parts, double tolerance) {
  const comm::Comm alone;
  check_graph(alone, graph);
  check(graph.constraints == 1, "rebalance evens out one constraint, not {}", graph.constraints);
  check(of.size() == graph.num_vertices(), "{} parts for {} vertices", of.size(),
        graph.num_vertices());
  refuse_parts(alone, parts, parts, "parts", true);
  for (const int part : of) {
    check(part >= 0 && part < parts, "there is no part {} of {}", part, parts);
  }
  return Rebalancing(graph, std::move(of), parts).run(tolerance);
}

} // namespace isthmus::partition
