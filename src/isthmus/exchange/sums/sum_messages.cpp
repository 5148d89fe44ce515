// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/sum_messages.hpp"

#include "isthmus/exchange/gather.hpp"

namespace isthmus::exchange {

namespace {

std::size_t copied_values(const Halo& halo, int components) {
  return static_cast<std::size_t>(halo.num_ghosts()) * static_cast<std::size_t>(components);
}

} // namespace

SumCost message_cost(const Halo& halo, int components) {
  return {1, static_cast<std::int64_t>(halo.targets().size()),
          static_cast<std::int64_t>(sizeof(double)) * components * halo.num_sent()};
}

OneRound::OneRound(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      halo_(all_sharers(plan).halo),
      fold_(fold_all(plan)),
      ghosts_(copied_values(halo_, components)) {
  halo_.reserve(components);
}

void OneRound::begin(std::span<const double> values) {
  pending_.emplace(halo_.begin_forward(comm_, components_, values, ghosts_));
}

bool OneRound::progress(std::span<double> /*values*/) {
  return pending_->progress();
}

void OneRound::finish(std::span<double> values) {
  pending_->finish();
  fold_.apply(components_, ghosts_, values);
}

SumCost OneRound::cost() const {
  return message_cost(halo_, components_);
}

TwoStage::TwoStage(const comm::Comm& comm, const InterfacePlan& plan, int components)
    : comm_(comm),
      components_(components),
      up_(to_owners(plan).halo),
      down_(from_owners(plan)),
      fold_(fold_owned(plan)),
      gathered_(copied_values(up_, components)),
      sums_(copied_values(down_.halo, components)) {
  up_.reserve(components);
  down_.halo.reserve(components);
}

void TwoStage::begin(std::span<const double> values) {
  is_down_ = false;
  pending_.emplace(up_.begin_forward(comm_, components_, values, gathered_));
}

bool TwoStage::progress(std::span<double> values) {
  if (!pending_->progress()) {
    return false;
  }
  if (is_down_) {
    return true;
  }
  send_down(values);
  return false;
}

void TwoStage::send_down(std::span<double> values) {
  pending_->finish();
  fold_.apply(components_, gathered_, values);
  pending_.emplace(down_.halo.begin_forward(comm_, components_, values, sums_));
  is_down_ = true;
}

void TwoStage::finish(std::span<double> values) {
  if (!is_down_) {
    send_down(values);
  }
  pending_->finish();
  const auto width = static_cast<std::size_t>(components_);
  scatter(sums_.data(), down_.nodes, width, values.data(),
          [](double& to, double value) { to = value; });
}

SumCost TwoStage::cost() const {
  const SumCost up = message_cost(up_, components_);
  const SumCost down = message_cost(down_.halo, components_);
  return {2, up.messages + down.messages, up.bytes + down.bytes};
}

} // namespace isthmus::exchange
