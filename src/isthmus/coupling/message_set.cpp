// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/message_set.hpp"

#include <algorithm>
#include <set>

namespace isthmus::coupling {

namespace {

std::set<comm::LinkId> links_of(const std::vector<Item>& items) {
  std::set<comm::LinkId> links;
  for (const Item& item : items) {
    for (const Route& route : *item.routes) {
      links.insert(route.link);
    }
  }
  return links;
}

} // namespace

MessageSet::MessageSet(std::vector<Item> outgoing, std::vector<Item> incoming)
    : outgoing_(std::move(outgoing)), incoming_(std::move(incoming)), opened_(incoming_.size()) {
  for (comm::LinkId link : links_of(outgoing_)) {
    messages_out_.emplace_back(link);
  }
  for (comm::LinkId link : links_of(incoming_)) {
    messages_in_.emplace_back(link);
  }
}

void MessageSet::post_outgoing(std::vector<comm::Outgoing>& requests, double after) {
  for (OutgoingMessage& message : messages_out_) {
    message.prepare(outgoing_, after);
    requests.push_back(message.request());
  }
}

void MessageSet::post_incoming(std::vector<comm::Incoming>& requests) {
  std::fill(opened_.begin(), opened_.end(), 0);
  for (IncomingMessage& message : messages_in_) {
    message.prepare(incoming_, opened_);
    requests.push_back(message.request());
  }
}

} // namespace isthmus::coupling
