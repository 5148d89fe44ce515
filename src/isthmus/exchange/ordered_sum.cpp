// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/ordered_sum.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/exchange/make_halo.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace isthmus::exchange {

namespace {

/// An own contribution or a ghost, and where its value is.
struct Term {
  Contribution what;
  std::size_t place;
};

/// A contribution to a node that the receiver knows by its position among the nodes of both.
struct Announced {
  std::int64_t position;
  GlobalIndex element;
};

/// Contributions of each node: offsets and positions, as they were given.
struct ByNode {
  std::vector<std::size_t> offsets;
  std::vector<LocalIndex> contributions;

  ByNode(LocalIndex num_nodes, std::span<const Contribution> all)
      : offsets(static_cast<std::size_t>(num_nodes) + 1, 0), contributions(all.size()) {
    for (const Contribution& one : all) {
      ++offsets[static_cast<std::size_t>(one.node) + 1];
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      offsets[i] += offsets[i - 1];
    }
    std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t c = 0; c < all.size(); ++c) {
      contributions[next[static_cast<std::size_t>(all[c].node)]++] = static_cast<LocalIndex>(c);
    }
  }
  [[nodiscard]] std::span<const LocalIndex> of(LocalIndex node) const {
    const auto i = static_cast<std::size_t>(node);
    return std::span(contributions).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Announces to every neighbour what will come, appends what they announce to `terms`.
Halo meet(const comm::Comm& comm, const InterfacePlan& plan, std::span<const Contribution> all,
          std::vector<Term>& terms) {
  const ByNode by_node(plan.num_nodes, all);
  std::map<int, Sent<Announced>> sent; // to all neighbours
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    Sent<Announced>& to_it = sent[neighbour.rank];
    for (std::size_t k = 0; k < neighbour.nodes.size(); ++k) {
      for (const LocalIndex entry : by_node.of(neighbour.nodes[k])) {
        to_it.entries.push_back(entry);
        to_it.notes.push_back(
            {static_cast<std::int64_t>(k), all[static_cast<std::size_t>(entry)].element});
      }
    }
  }
  auto neighbour = plan.neighbours.begin(); // all of them send
  std::size_t place = all.size();
  return halo_of_sent(comm, std::move(sent), [&](std::span<const Announced> announced) {
    for (const Announced& one : announced) {
      const LocalIndex node = neighbour->nodes[static_cast<std::size_t>(one.position)];
      terms.push_back({{node, one.element}, place++});
    }
    ++neighbour;
    return static_cast<LocalIndex>(announced.size());
  });
}

} // namespace

OrderedSum::OrderedSum(const comm::Comm& comm, const InterfacePlan& plan,
                       std::span<const Contribution> contributions, int components)
    : comm_(comm),
      width_(static_cast<std::size_t>(components)),
      offsets_(static_cast<std::size_t>(plan.num_nodes) + 1, 0) {
  std::vector<Term> terms;
  for (std::size_t c = 0; c < contributions.size(); ++c) {
    terms.push_back({contributions[c], c});
  }
  halo_ = meet(comm, plan, contributions, terms);
  halo_.reserve(components);
  ghosts_.resize(static_cast<std::size_t>(halo_.num_ghosts()) * width_);
  const auto key = [](const Term& term) { return std::pair(term.what.node, term.what.element); };
  std::sort(terms.begin(), terms.end(),
            [key](const Term& a, const Term& b) { return key(a) < key(b); });
  comm::agree(comm, [&] {
    const auto twice =
        std::adjacent_find(terms.begin(), terms.end(),
                           [key](const Term& a, const Term& b) { return key(a) == key(b); });
    check(
        twice == terms.end(),
        "ordered sum: element {} adds to node {} (local number) twice; give each pair once on one "
        "rank",
        twice == terms.end() ? 0 : twice->what.element,
        twice == terms.end() ? 0 : twice->what.node);
  });
  for (const Term& term : terms) {
    ++offsets_[static_cast<std::size_t>(term.what.node) + 1];
    terms_.push_back(term.place);
  }
  for (std::size_t i = 1; i < offsets_.size(); ++i) {
    offsets_[i] += offsets_[i - 1];
  }
}

void OrderedSum::begin(std::span<const double> added) {
  pending_.emplace(halo_.begin_forward(comm_, static_cast<int>(width_), added, ghosts_));
}

void OrderedSum::finish(std::span<const double> added, std::span<double> sums) {
  pending_->finish();
  const std::size_t own = added.size() / width_;
  for (std::size_t node = 0; node + 1 < offsets_.size(); ++node) {
    for (std::size_t c = 0; c < width_; ++c) {
      double sum = 0;
      for (std::size_t k = offsets_[node]; k < offsets_[node + 1]; ++k) {
        const std::size_t place = terms_[k];
        sum += place < own ? added[place * width_ + c] : ghosts_[(place - own) * width_ + c];
      }
      sums[node * width_ + c] = sum;
    }
  }
}

} // namespace isthmus::exchange
