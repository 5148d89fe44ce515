// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/message_set.hpp"

#include <algorithm>
#include <set>

namespace isthmus::fields {

namespace {

std::set<transport::LinkId> links_of(const std::vector<Item>& items,
                                     const std::vector<transport::LinkId>& more) {
  std::set<transport::LinkId> links(more.begin(), more.end());
  for (const Item& item : items) {
    for (const planning::Route& route : *item.routes) {
      links.insert(route.link);
    }
  }
  return links;
}

} // namespace

MessageSet::MessageSet(std::vector<Item> outgoing, std::vector<Item> incoming,
                       const Listeners& listeners, transport::Kind kind)
    : outgoing_(std::move(outgoing)), incoming_(std::move(incoming)), opened_(incoming_.size()) {
  for (transport::LinkId link : links_of(outgoing_, listeners.targets)) {
    messages_out_.emplace_back(link, kind);
  }
  for (transport::LinkId link : links_of(incoming_, listeners.sources)) {
    messages_in_.emplace_back(link, kind);
  }
}

void MessageSet::post_outgoing(std::vector<transport::Outgoing>& requests, const Extract& extract,
                               const LinkChoice& chosen, const transfer::Changes* changes) {
  for (OutgoingMessage& message : messages_out_) {
    if (chosen.has(message.link())) {
      message.prepare(outgoing_, extract, changes);
      requests.push_back(message.request());
    }
  }
}

void MessageSet::post_notices(std::vector<transport::Outgoing>& requests,
                              const transfer::Changes& changes, const LinkChoice& chosen) {
  for (OutgoingMessage& message : messages_out_) {
    if (chosen.has(message.link())) {
      message.prepare_notice(changes);
      requests.push_back(message.request());
    }
  }
}

void MessageSet::post_incoming(std::vector<transport::Incoming>& requests, const LinkChoice& chosen,
                               const LinkChoice& discard) {
  std::fill(opened_.begin(), opened_.end(), 0);
  for (IncomingMessage& message : messages_in_) {
    if (chosen.has(message.link())) {
      message.prepare(incoming_, opened_, discard.has(message.link()));
      requests.push_back(message.request());
    }
  }
}

void MessageSet::post_missing(std::vector<transport::Incoming>& requests,
                              const LinkChoice& chosen) {
  std::transform(incoming_.begin(), incoming_.end(), opened_.begin(),
                 [](const Item& item) { return item.field->wave().empty() ? 0 : 1; });
  for (IncomingMessage& message : messages_in_) {
    if (chosen.has(message.link())) {
      message.prepare(incoming_, opened_, false);
      requests.push_back(message.request());
    }
  }
}

void MessageSet::post_awaited(std::vector<transport::Incoming>& requests) {
  for (IncomingMessage& message : messages_in_) {
    if (message.is_awaited()) {
      requests.push_back(message.request());
    }
  }
}

bool MessageSet::is_awaited() const {
  return std::any_of(messages_in_.begin(), messages_in_.end(),
                     [](const IncomingMessage& message) { return message.is_awaited(); });
}

bool MessageSet::has_come() const {
  return std::any_of(messages_in_.begin(), messages_in_.end(),
                     [](const IncomingMessage& message) { return message.has_come(); });
}

void MessageSet::add_zeros(double time) {
  for (const Item& item : incoming_) {
    const bool comes = std::any_of(incoming_.begin(), incoming_.end(), [&item](const Item& other) {
      return other.field == item.field && !other.routes->empty();
    });
    time::Waveform& wave = item.field->wave();
    if (!comes && wave.first_after(time) == wave.num_samples() &&
        (wave.empty() || !time::same_time(wave.time(wave.num_samples() - 1), time, time))) {
      const std::span<double> values = wave.append(time);
      std::fill(values.begin(), values.end(), 0.0);
    }
  }
}

Listeners MessageSet::links() const {
  Listeners all;
  for (const OutgoingMessage& message : messages_out_) {
    all.targets.push_back(message.link());
  }
  for (const IncomingMessage& message : messages_in_) {
    all.sources.push_back(message.link());
  }
  return all;
}

bool MessageSet::has_changes() const {
  return std::any_of(messages_in_.begin(), messages_in_.end(), [](const IncomingMessage& message) {
    return message.received_changes().changes.has_value();
  });
}

bool MessageSet::has_large_changes() const {
  return std::any_of(messages_in_.begin(), messages_in_.end(), [](const IncomingMessage& message) {
    const auto& changes = message.received_changes().changes;
    return changes && changes->is_small == 0;
  });
}

std::vector<ReceivedChanges> MessageSet::received_changes(const LinkChoice& chosen) const {
  std::vector<ReceivedChanges> all;
  for (const IncomingMessage& message : messages_in_) {
    if (chosen.has(message.link())) {
      all.push_back(message.received_changes());
    }
  }
  return all;
}

bool MessageSet::receives_from(const LinkChoice& chosen) const {
  return std::any_of(
      messages_in_.begin(), messages_in_.end(),
      [&chosen](const IncomingMessage& message) { return chosen.has(message.link()); });
}

bool contains(const std::vector<Item>& items, const Field* field) {
  return std::any_of(items.begin(), items.end(),
                     [field](const Item& item) { return item.field == field; });
}

Carried carried(const std::vector<Item>& items, const Field& field) {
  Carried most = Carried::nothing;
  for (const Item& item : items) {
    if (item.field == &field || is_made_of(*item.field, field)) {
      most = std::max(most, item.all_samples ? Carried::all_samples : Carried::one_sample);
    }
  }
  return most;
}

} // namespace isthmus::fields
