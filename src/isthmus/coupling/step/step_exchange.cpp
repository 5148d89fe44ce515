// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/step_exchange.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <utility>

namespace isthmus::coupling {

namespace {

void give_byte(void* from, std::size_t /*offset*/, std::span<std::byte> piece) {
  piece[0] = *static_cast<const std::byte*>(from);
}

void expect_byte(void* /*to*/, std::size_t bytes) {
  check(bytes == 1, "a verdict on an iteration has {} bytes in place of 1", bytes);
}

void take_byte(void* to, std::size_t /*offset*/, std::span<const std::byte> piece) {
  *static_cast<std::byte*>(to) = piece[0];
}

} // namespace

void StepExchange::connect(std::span<const fields::Renewal> renewals) {
  planned_.take_up();
  for (Scheme& scheme : schedule_.schemes()) {
    scheme.connect(items_);
  }
  items_.finish();
  if (resets_.are_allowed()) {
    listen(renewals);
  }
}

/// Ranks without data learn of resets, too.
void StepExchange::listen(std::span<const fields::Renewal> renewals) {
  for (const fields::Renewal& renewal : renewals) {
    const Scheme* const scheme = schedule_.find(renewal.partner);
    if (scheme != nullptr && partners_.relations().is_related(renewal.partner)) {
      listeners_[renewal.partner] = fields::find_listeners(
          partners_.at(renewal.partner),
          scheme->regular().receives_from(resets_.links_to(std::span(&renewal, 1))));
    }
  }
  for (Scheme& scheme : schedule_.schemes()) {
    fields::Listeners all;
    for (const std::string& partner : scheme.partners()) {
      const fields::Listeners& some = listeners_[partner];
      all.targets.insert(all.targets.end(), some.targets.begin(), some.targets.end());
      all.sources.insert(all.sources.end(), some.sources.begin(), some.sources.end());
    }
    scheme.listen(all);
  }
}

void StepExchange::begin() {
  outgoing_.clear();
  incoming_.clear();
}

void StepExchange::post(Scheme& scheme) {
  post_outgoing(scheme);
  if (scheme.receives_at_end()) {
    post_incoming(scheme);
  }
}

void StepExchange::post_outgoing(Scheme& scheme) {
  scheme.regular().post_outgoing(outgoing_, scheme.extract());
  send_window_size(scheme);
}

void StepExchange::post_incoming(Scheme& scheme) {
  scheme.open_incoming();
  scheme.regular().post_incoming(incoming_);
}

void StepExchange::run(const std::function<bool()>& enough) {
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout, enough);
}

void StepExchange::flush() {
  context_.hub.flush(context_.progress_timeout);
}

void StepExchange::flush_or_hold() {
  context_.hub.flush(context_.progress_timeout, true);
}

void StepExchange::receive(Scheme& scheme, const fields::LinkChoice& chosen,
                           const fields::LinkChoice& discard) {
  const auto scope = context_.trace.scope("exchange");
  for (const fields::Item& item : scheme.regular().incoming()) {
    if (chosen.is_all()) {
      item.field->wave().drop_after(scheme.window().start());
    }
  }
  scheme.regular().post_incoming(incoming_, chosen, discard);
  run();
  const bool comes_again = resets_.are_allowed() && !resets_.renewals(scheme, true).empty();
  if (!comes_again) { // else there are other routes then
    set_arrival_times(scheme);
  }
}

void StepExchange::set_arrival_times(Scheme& scheme) {
  if (resets_.are_allowed()) {
    scheme.regular().add_zeros(scheme.arrival_time());
  }
  scheme.set_arrival_times();
}

void StepExchange::send_window_size(const Scheme& scheme) {
  if (scheme.sends_window_size() && context_.comm.is_root()) {
    Writer writer;
    writer.put(scheme.window().size());
    send_steering(scheme, scheme.partners().front(), writer.take());
  }
}

void StepExchange::follow_window_size(Scheme& scheme) {
  if (!scheme.follows_window_size()) {
    return;
  }
  double size = 0;
  comm::agree(context_.comm, [this, &scheme, &size] {
    if (context_.comm.is_root()) {
      size = Reader(receive_steering(scheme, scheme.partners().front())).get<double>();
    }
  });
  scheme.window().set_size(comm::bcast(context_.comm, size));
}

void StepExchange::send_steering(const Scheme& scheme, const std::string& partner,
                                 std::vector<std::byte> what) {
  context_.hub.send(partners_.at(partner).link_to(0), scheme.kind(transport::Kind::steering),
                    std::move(what));
}

std::vector<std::byte> StepExchange::receive_steering(const Scheme& scheme,
                                                      const std::string& partner) {
  return context_.hub.receive(partners_.at(partner).link_to(0),
                              scheme.kind(transport::Kind::steering), context_.progress_timeout);
}

void StepExchange::post_steering(const Scheme& scheme, const std::string& partner,
                                 std::byte& what) {
  outgoing_.push_back({partners_.at(partner).link_to(0), scheme.kind(transport::Kind::steering),
                       sizeof what, &what, give_byte});
}

void StepExchange::await_steering(const Scheme& scheme, const std::string& partner,
                                  std::byte& what) {
  incoming_.push_back({partners_.at(partner).link_to(0), scheme.kind(transport::Kind::steering),
                       &what, expect_byte, take_byte});
}

} // namespace isthmus::coupling
