// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/quality.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace isthmus::partition {

namespace {

using Globals = std::vector<GlobalIndex>;

// Targets that others own, ascending, by owner.
comm::Lists<GlobalIndex> wanted(const Graph& graph, std::span<const GlobalIndex> ranges, int rank) {
  std::map<int, Globals> result;
  for (const GlobalIndex target : graph.targets) {
    const auto above = std::upper_bound(ranges.begin(), ranges.end(), target);
    const int owner = static_cast<int>(above - ranges.begin()) - 1;
    if (owner != rank) {
      result[owner].push_back(target);
    }
  }
  for (auto& [owner, numbers] : result) {
    sort_once(numbers);
  }
  return result;
}

// Loads, volumes and partners as far as the own vertices know.
struct Sums {
  Globals loads;   // parts x constraints
  Globals volumes; // parts
  Globals counts;  // parts
  GlobalIndex cut = 0;
  Globals pairs; // part * parts + other part
};

Sums sums_of(const Graph& graph, std::span<const int> of, std::span<const int> targets_of,
             int parts) {
  const auto n = static_cast<std::size_t>(parts);
  const auto constraints = static_cast<std::size_t>(graph.constraints);
  Sums sums{Globals(n * constraints, 0), Globals(n, 0), Globals(n, 0), 0, {}};
  std::vector<int> others;
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    const auto part = static_cast<std::size_t>(of[v]);
    ++sums.counts[part];
    for (std::size_t c = 0; c < constraints; ++c) {
      sums.loads[part * constraints + c] += graph.weight(v, static_cast<int>(c));
    }
    others.clear();
    for (auto e = static_cast<std::size_t>(graph.offsets[v]);
         e < static_cast<std::size_t>(graph.offsets[v + 1]); ++e) {
      if (targets_of[e] != of[v]) {
        sums.cut += graph.edge_weight(e);
        others.push_back(targets_of[e]);
      }
    }
    sort_once(others);
    for (const int other : others) { // it gets the value of this vertex
      ++sums.volumes[static_cast<std::size_t>(other)];
      sums.pairs.push_back(static_cast<GlobalIndex>(of[v]) * parts + other);
    }
    if (sums.pairs.size() > 100'000) {
      sort_once(sums.pairs);
    }
  }
  sort_once(sums.pairs);
  return sums;
}

void count_partners(const comm::Comm& comm, const Globals& own, int parts, Quality& quality) {
  Globals pairs = comm::gather(comm, std::span<const GlobalIndex>(own)).values;
  sort_once(pairs);
  std::vector<int> partners(static_cast<std::size_t>(parts), 0);
  for (const GlobalIndex pair : pairs) {
    ++partners[static_cast<std::size_t>(pair / parts)];
  }
  quality.most_partners = comm::bcast(comm, *std::max_element(partners.begin(), partners.end()));
  quality.mean_partners =
      comm::bcast(comm, static_cast<double>(pairs.size())) / static_cast<double>(parts);
}

} // namespace

std::vector<int> parts_of_targets(const comm::Comm& comm, const Graph& graph,
                                  std::span<const int> of) {
  const Globals ranges = vertex_ranges(comm, graph);
  const GlobalIndex first = ranges[static_cast<std::size_t>(comm.rank())];
  const comm::Lists<GlobalIndex> asked = wanted(graph, ranges, comm.rank());
  comm::Lists<int> replies;
  for (const auto& [rank, numbers] : comm::swap_lists(comm, asked)) {
    for (const GlobalIndex number : numbers) {
      replies[rank].push_back(of[static_cast<std::size_t>(number - first)]);
    }
  }
  std::map<GlobalIndex, int> remote;
  for (const auto& [rank, parts] : comm::swap_lists(comm, replies)) {
    const Globals& numbers = asked.at(rank);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      remote.emplace_hint(remote.end(), numbers[i], parts[i]);
    }
  }
  std::vector<int> result;
  result.reserve(graph.targets.size());
  const auto end = first + static_cast<GlobalIndex>(of.size());
  for (const GlobalIndex target : graph.targets) {
    result.push_back(target >= first && target < end ? of[static_cast<std::size_t>(target - first)]
                                                     : remote.at(target));
  }
  return result;
}

Quality assess(const comm::Comm& comm, const Graph& graph, std::span<const int> of, int parts,
               double halo_cost) {
  comm::agree(comm, [&] {
    check(of.size() == graph.num_vertices(), "{} parts for {} vertices", of.size(),
          graph.num_vertices());
    for (const int part : of) {
      check(part >= 0 && part < parts, "there is no part {} of {}", part, parts);
    }
  });
  Sums sums = sums_of(graph, of, parts_of_targets(comm, graph, of), parts);
  for (Globals* numbers : {&sums.loads, &sums.volumes, &sums.counts}) {
    comm::allreduce(comm, std::span(*numbers), comm::Op::sum);
  }
  Quality quality{};
  quality.cut = comm::allreduce(comm, sums.cut, comm::Op::sum) / 2;
  const auto constraints = static_cast<std::size_t>(graph.constraints);
  std::vector<double> mean(constraints, 0.0);
  std::vector<double> largest(constraints, 0.0);
  double slowest = 0.0;
  for (std::size_t p = 0; p < sums.counts.size(); ++p) {
    for (std::size_t c = 0; c < constraints; ++c) {
      const auto load = static_cast<double>(sums.loads[p * constraints + c]);
      mean[c] += load / parts;
      largest[c] = std::max(largest[c], load);
    }
    quality.empty += sums.counts[p] == 0 ? 1 : 0;
    quality.volume += sums.volumes[p];
    quality.largest_volume = std::max(quality.largest_volume, sums.volumes[p]);
    slowest = std::max(slowest, static_cast<double>(sums.loads[p * constraints]) +
                                    halo_cost * static_cast<double>(sums.volumes[p]));
  }
  for (std::size_t c = 0; c < constraints; ++c) {
    quality.imbalance.push_back(mean[c] > 0.0 ? largest[c] / mean[c] : 1.0);
  }
  quality.efficiency = slowest > 0.0 ? mean[0] / slowest : 1.0;
  count_partners(comm, sums.pairs, parts, quality);
  return quality;
}

} // namespace isthmus::partition
