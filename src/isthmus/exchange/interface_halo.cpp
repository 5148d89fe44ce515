// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_halo.hpp"

#include "isthmus/exchange/gather.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::exchange {

namespace {

using Neighbour = InterfacePlan::Neighbour;

/// Owner of each local node that is shared; the own rank of others.
std::vector<int> owners(const InterfacePlan& plan) {
  std::vector<int> owner(static_cast<std::size_t>(plan.num_nodes), plan.rank);
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    owner[static_cast<std::size_t>(plan.shared[i])] = plan.owner_of(i);
  }
  return owner;
}

/// Sends the nodes of every neighbour that `sent(neighbour, node)` selects, and receives those that
/// `received` does.
template <typename Sent, typename Received>
InterfaceHalo make_halo(const InterfacePlan& plan, Sent sent, Received received) {
  std::vector<Halo::Neighbour> targets;
  std::vector<Halo::Source> sources;
  std::vector<LocalIndex> ghosts;
  for (const Neighbour& neighbour : plan.neighbours) {
    std::vector<LocalIndex> entries;
    LocalIndex count = 0;
    for (const LocalIndex node : neighbour.nodes) {
      if (sent(neighbour, node)) {
        entries.push_back(node);
      }
      if (received(neighbour, node)) {
        ghosts.push_back(node);
        ++count;
      }
    }
    if (!entries.empty()) {
      targets.push_back({neighbour.rank, std::move(entries)});
    }
    if (count > 0) {
      sources.push_back({neighbour.rank, count});
    }
  }
  return {{std::move(targets), std::move(sources)}, std::move(ghosts)};
}

/// Of the shared nodes that `selected(i)` names, whose ghosts are ordered by neighbour and node.
template <typename Selected>
Fold make_fold(const InterfacePlan& plan, const InterfaceHalo& halo, Selected selected) {
  std::vector<std::pair<int, LocalIndex>> next; // ghost of each source, ascending by rank
  LocalIndex first = 0;
  for (const Halo::Source& source : halo.halo.sources()) {
    next.emplace_back(source.rank, first);
    first += source.count;
  }
  Fold fold;
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    if (!selected(i)) {
      continue;
    }
    fold.nodes.push_back(plan.shared[i]);
    for (const int sharer : plan.sharers_of(i)) {
      if (sharer == plan.rank) {
        fold.terms.push_back(Fold::own);
      } else {
        const auto source = std::lower_bound(next.begin(), next.end(), std::pair(sharer, 0),
                                             [](auto a, auto b) { return a.first < b.first; });
        fold.terms.push_back(source->second++);
      }
    }
    fold.offsets.push_back(fold.terms.size());
  }
  return fold;
}

} // namespace

InterfaceHalo all_sharers(const InterfacePlan& plan) {
  const auto every = [](const Neighbour&, LocalIndex) { return true; };
  return make_halo(plan, every, every);
}

InterfaceHalo to_owners(const InterfacePlan& plan) {
  const std::vector<int> owner = owners(plan);
  return make_halo(
      plan,
      [&](const Neighbour& to, LocalIndex node) {
        return owner[static_cast<std::size_t>(node)] == to.rank;
      },
      [&](const Neighbour&, LocalIndex node) {
        return owner[static_cast<std::size_t>(node)] == plan.rank;
      });
}

InterfaceHalo from_owners(const InterfacePlan& plan) {
  const std::vector<int> owner = owners(plan);
  return make_halo(
      plan,
      [&](const Neighbour&, LocalIndex node) {
        return owner[static_cast<std::size_t>(node)] == plan.rank;
      },
      [&](const Neighbour& from, LocalIndex node) {
        return owner[static_cast<std::size_t>(node)] == from.rank;
      });
}

Fold fold_all(const InterfacePlan& plan) {
  return make_fold(plan, all_sharers(plan), [](std::size_t) { return true; });
}

Fold fold_owned(const InterfacePlan& plan) {
  return make_fold(plan, to_owners(plan),
                   [&plan](std::size_t i) { return plan.owner_of(i) == plan.rank; });
}

void Fold::apply(int components, std::span<const double> ghosts, std::span<double> values) const {
  with_width(static_cast<std::size_t>(components), [&](auto width) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      double* const to = values.data() + static_cast<std::size_t>(nodes[i]) * width;
      const auto place = [&](std::size_t k) -> const double* {
        return terms[k] == own ? to : ghosts.data() + static_cast<std::size_t>(terms[k]) * width;
      };
      for (std::size_t c = 0; c < width; ++c) {
        double sum = place(offsets[i])[c];
        for (std::size_t k = offsets[i] + 1; k < offsets[i + 1]; ++k) {
          sum += place(k)[c];
        }
        to[c] = sum;
      }
    }
  });
}

void Fold::move_ghosts(std::span<const LocalIndex> positions) {
  for (LocalIndex& term : terms) {
    if (term != own) {
      term = positions[static_cast<std::size_t>(term)];
    }
  }
}

} // namespace isthmus::exchange
