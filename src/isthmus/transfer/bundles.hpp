// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::transfer {

using SendPiece = std::function<void(transport::LinkId, std::vector<std::byte>)>;
using ReceivePiece = std::function<std::vector<std::byte>(transport::LinkId)>;

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

} // namespace isthmus::transfer
