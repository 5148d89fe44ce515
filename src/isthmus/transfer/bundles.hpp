// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/protocol/messages.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace isthmus::transfer {

/// Pieces for several ranks of partners, one message for each, and those that come from them. Both
/// sides of a link put and get the same pieces in the same order.
class Bundles {
 public:
  Bundles(transport::Hub& hub, double timeout_s) : hub_(hub), timeout_s_(timeout_s) {}

  void put(transport::LinkId link, std::vector<std::byte> piece) {
    out_[link].pieces.push_back(std::move(piece));
  }
  void send() {
    for (const auto& [link, bundle] : std::exchange(out_, {})) {
      hub_.send(link, protocol::Bundle::kind, protocol::bytes_of(bundle));
    }
  }
  /// Waits for the message if none is open.
  [[nodiscard]] std::vector<std::byte> get(transport::LinkId link) {
    Arrived& arrived = in_[link];
    if (arrived.next == arrived.bundle.pieces.size()) {
      const auto bytes = hub_.receive(link, protocol::Bundle::kind, timeout_s_);
      arrived = {protocol::read_message<protocol::Bundle>(bytes), 0};
    }
    return std::move(arrived.bundle.pieces[arrived.next++]);
  }

 private:
  struct Arrived {
    protocol::Bundle bundle;
    std::size_t next = 0; // piece
  };

  transport::Hub& hub_;
  double timeout_s_;
  std::map<transport::LinkId, protocol::Bundle> out_;
  std::map<transport::LinkId, Arrived> in_;
};

/// What ranks of partners say to each other of their changes, and what is read in a first plan:
/// each piece is a message by itself, or stands in a bundle with others.
class ChangeMessages {
 public:
  ChangeMessages(transport::Hub& hub, double timeout_s) : hub_(&hub), timeout_s_(timeout_s) {}
  explicit ChangeMessages(Bundles& bundles) : bundles_(&bundles) {}

  /// `kind`: of a message by itself.
  void send(transport::LinkId link, transport::Kind kind, std::vector<std::byte> piece) {
    if (bundles_ != nullptr) {
      bundles_->put(link, std::move(piece));
    } else {
      hub_->send(link, kind, std::move(piece));
    }
  }
  [[nodiscard]] std::vector<std::byte> receive(transport::LinkId link, transport::Kind kind) {
    return bundles_ != nullptr ? bundles_->get(link) : hub_->receive(link, kind, timeout_s_);
  }

 private:
  transport::Hub* hub_ = nullptr;
  double timeout_s_ = 0;
  Bundles* bundles_ = nullptr; // null: messages by themselves
};

} // namespace isthmus::transfer
