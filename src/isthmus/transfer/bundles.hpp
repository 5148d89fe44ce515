// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::transfer {

/// Pieces for several ranks of partners, one message for each, and those that come from them. Both
/// sides of a link put and get the same pieces in the same order.
class Bundles {
 public:
  Bundles(transport::Hub& hub, double timeout_s) : hub_(hub), timeout_s_(timeout_s) {}

  void put(transport::LinkId link, const std::vector<std::byte>& piece) {
    out_[link].put_array(piece);
  }
  void send() {
    for (auto& [link, writer] : std::exchange(out_, {})) {
      hub_.send(link, transport::Kind::changes, writer.take());
    }
  }
  /// Waits for the message if none is open.
  [[nodiscard]] std::vector<std::byte> get(transport::LinkId link) {
    Arrived& arrived = in_[link];
    if (!arrived.rest || arrived.rest->left() == 0) {
      arrived.bytes = hub_.receive(link, transport::Kind::changes, timeout_s_);
      arrived.rest.emplace(arrived.bytes);
    }
    return arrived.rest->get_array<std::byte>();
  }

 private:
  struct Arrived {
    std::vector<std::byte> bytes;
    std::optional<Reader> rest;
  };

  transport::Hub& hub_;
  double timeout_s_;
  std::map<transport::LinkId, Writer> out_;
  std::map<transport::LinkId, Arrived> in_;
};

/// What ranks of partners say to each other of their changes: each piece is a message by itself, or
/// stands in a bundle with others.
class ChangeMessages {
 public:
  ChangeMessages(transport::Hub& hub, double timeout_s) : hub_(&hub), timeout_s_(timeout_s) {}
  explicit ChangeMessages(Bundles& bundles) : bundles_(&bundles) {}

  /// `kind`: of a message by itself.
  void send(transport::LinkId link, transport::Kind kind, std::vector<std::byte> piece) {
    if (bundles_ != nullptr) {
      bundles_->put(link, piece);
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
