// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/data_message.hpp"

#include <vector>

namespace isthmus::coupling {

/// Everything that one scheme moves at one moment: per partner rank one message out and one in, for
/// all fields together.
class MessageSet {
 public:
  MessageSet() = default;
  /// Both sides of a link must list the same fields in the same order.
  MessageSet(std::vector<Item> outgoing, std::vector<Item> incoming);
  MessageSet(const MessageSet&) = delete;
  MessageSet& operator=(const MessageSet&) = delete;
  MessageSet(MessageSet&&) = default;
  MessageSet& operator=(MessageSet&&) = default;

  /// Appends requests for the samples later than `after` that the outgoing fields hold now.
  void post_outgoing(std::vector<comm::Outgoing>& requests, double after);
  /// Appends requests that create new samples of the incoming fields.
  void post_incoming(std::vector<comm::Incoming>& requests);

  [[nodiscard]] const std::vector<Item>& outgoing() const { return outgoing_; }
  [[nodiscard]] const std::vector<Item>& incoming() const { return incoming_; }

 private:
  std::vector<Item> outgoing_;
  std::vector<Item> incoming_;
  std::vector<char> opened_; // by incoming item: its samples exist
  std::vector<OutgoingMessage> messages_out_;
  std::vector<IncomingMessage> messages_in_;
};

} // namespace isthmus::coupling
