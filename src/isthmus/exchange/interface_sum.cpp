// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_sum.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/sums/sum_collective.hpp"
#include "isthmus/exchange/sums/sum_messages.hpp"
#include "isthmus/exchange/sums/sum_node.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <variant>

namespace isthmus::exchange {

namespace {

/// Seconds of a rank that sends and receives so many messages and values in one round.
double modelled(double messages, double values, int components) {
  constexpr double per_round = 1e-6;
  constexpr double per_message = 3e-7;
  constexpr double per_byte = 5e-11;
  return per_round + messages * per_message + values * components * sizeof(double) * per_byte;
}

/// Collective. The same on all ranks: common memory where all have it, else the one with the
/// smallest modelled time.
SumStrategy fastest(const comm::Comm& comm, const InterfacePlan& plan, int components) {
#ifndef ISTHMUS_SIMULATED
  if (comm.size() > 1 && is_one_computer(comm)) {
    return SumStrategy::shared_memory;
  }
#endif
  const auto halo_seconds = [components](const Halo& halo) {
    const std::size_t messages = halo.targets().size() + halo.sources().size();
    return modelled(static_cast<double>(messages), halo.num_sent() + halo.num_ghosts(), components);
  };
  std::array seconds = {halo_seconds(all_sharers(plan).halo),
                        halo_seconds(to_owners(plan).halo) + halo_seconds(from_owners(plan).halo)};
  comm::allreduce(comm, std::span<double>(seconds), comm::Op::max);

  const auto owned = static_cast<std::int64_t>(plan.shared.size() - plan.foreign.size());
  const auto interface = static_cast<double>(comm::allreduce(comm, owned, comm::Op::sum));
  const double steps = std::bit_width(static_cast<unsigned>(comm.size() - 1));
  const double reduction =
      2 * steps * modelled(2, 0, components) + modelled(0, 4 * interface, components);
  if (reduction < std::min(seconds[0], seconds[1])) {
    return SumStrategy::allreduce;
  }
  return seconds[1] < seconds[0] ? SumStrategy::two_stage : SumStrategy::one_round;
}

} // namespace

std::string_view to_string(SumStrategy strategy) {
  switch (strategy) {
    case SumStrategy::automatic:
      return "automatic";
    case SumStrategy::allreduce:
      return "allreduce";
    case SumStrategy::allgather:
      return "allgather";
    case SumStrategy::two_stage:
      return "two_stage";
    case SumStrategy::shared_memory:
      return "shared_memory";
    case SumStrategy::one_round:
      return "one_round";
  }
  return "";
}

struct InterfaceSum::State {
  SumStrategy strategy;
  std::variant<std::monostate, OneRound, TwoStage, AllreduceSum, AllgatherSum, NodeSum> way;
  SumCost cost;

  template <typename Way>
  void take(const comm::Comm& comm, const InterfacePlan& plan, int components) {
    cost = way.emplace<Way>(comm, plan, components).cost();
  }
  void choose(const comm::Comm& comm, const InterfacePlan& plan, int components) {
    switch (strategy) {
      case SumStrategy::allreduce:
        return take<AllreduceSum>(comm, plan, components);
      case SumStrategy::allgather:
        return take<AllgatherSum>(comm, plan, components);
      case SumStrategy::two_stage:
        return take<TwoStage>(comm, plan, components);
      case SumStrategy::shared_memory:
#ifdef ISTHMUS_SIMULATED // a simulated rank that looks at memory lets no other one run
        return take<OneRound>(comm, plan, components);
#else
        return take<NodeSum>(comm, plan, components);
#endif
      case SumStrategy::one_round:
      case SumStrategy::automatic:
        return take<OneRound>(comm, plan, components);
    }
  }
  /// What the action says of the way; yes where there is nobody to share with.
  template <typename Action>
  bool act(Action&& action) {
    return std::visit(
        [&action](auto& one) {
          if constexpr (!std::is_same_v<decltype(one), std::monostate&>) {
            return action(one);
          }
          return true;
        },
        way);
  }
};

InterfaceSum::InterfaceSum(const comm::Comm& comm, const InterfacePlan& plan, int components,
                           SumStrategy strategy)
    : state_(std::make_unique<State>()) {
  check(components > 0, "interface sum: {} values per node; give at least one", components);
  state_->strategy =
      strategy == SumStrategy::automatic ? fastest(comm, plan, components) : strategy;
  if (comm.size() > 1) { // else nobody to share with
    state_->choose(comm, plan, components);
  }
}

InterfaceSum::InterfaceSum(InterfaceSum&& other) noexcept = default;
InterfaceSum& InterfaceSum::operator=(InterfaceSum&& other) noexcept = default;
InterfaceSum::~InterfaceSum() = default;

void InterfaceSum::begin(std::span<const double> values) {
  state_->act([values](auto& way) {
    way.begin(values);
    return true;
  });
}

bool InterfaceSum::progress(std::span<double> values) {
  return state_->act([values](auto& way) { return way.progress(values); });
}

void InterfaceSum::finish(std::span<double> values) {
  state_->act([values](auto& way) {
    way.finish(values);
    return true;
  });
}

SumStrategy InterfaceSum::strategy() const {
  return state_->strategy;
}

const SumCost& InterfaceSum::cost() const {
  return state_->cost;
}

} // namespace isthmus::exchange
