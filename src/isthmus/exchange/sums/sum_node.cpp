// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/sum_node.hpp"

#include "isthmus/exchange/gather.hpp"
#include "isthmus/exchange/sums/sum_messages.hpp"

#include <algorithm>

namespace isthmus::exchange {

NodeSum::NodeSum(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      fold_(fold_all(plan)),
      memory_(comm, plan.shared.size() * static_cast<std::size_t>(components)) {
  InterfacePlan far = plan; // of neighbours on other computers
  std::erase_if(far.neighbours, [this](const InterfacePlan::Neighbour& neighbour) {
    return memory_.local_rank(neighbour.rank) >= 0;
  });
  far_ = all_sharers(far).halo;
  far_.reserve(components);

  std::vector<LocalIndex> positions; // of what fold_ calls a ghost
  LocalIndex next_far = 0;
  LocalIndex next_near = far_.num_ghosts();
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    const int local = memory_.local_rank(neighbour.rank);
    if (local >= 0) {
      readers_.push_back({local, neighbour.theirs});
    }
    LocalIndex& next = local >= 0 ? next_near : next_far;
    for (std::size_t k = 0; k < neighbour.nodes.size(); ++k) {
      positions.push_back(next++);
    }
  }
  fold_.move_ghosts(positions);
  ghosts_.resize(static_cast<std::size_t>(next_near) * static_cast<std::size_t>(components));
}

void NodeSum::begin(std::span<const double> values) {
  const auto width = static_cast<std::size_t>(components_);
  gather(values.data(), fold_.nodes, width, memory_.next_slot());
  memory_.publish();
  pending_.emplace(far_.begin_forward(comm_, components_, values, ghosts_));
}

bool NodeSum::progress(std::span<double> /*values*/) {
  return pending_->progress() &&
         std::all_of(readers_.begin(), readers_.end(),
                     [this](const Reader& reader) { return memory_.is_published(reader.local); });
}

void NodeSum::finish(std::span<double> values) {
  const auto width = static_cast<std::size_t>(components_);
  double* to = ghosts_.data() + static_cast<std::size_t>(far_.num_ghosts()) * width;
  for (const Reader& reader : readers_) {
    to = gather(memory_.published(reader.local), reader.entries, width, to);
  }
  pending_->finish();
  fold_.apply(components_, ghosts_, values);
}

SumCost NodeSum::cost() const {
  return message_cost(far_, components_);
}

} // namespace isthmus::exchange
