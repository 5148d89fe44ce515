// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/hub.hpp"
#include "isthmus/comm/wire.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::coupling {

using Tell = std::function<void(comm::LinkId, std::vector<std::byte>)>;
using Hear = std::function<std::vector<std::byte>(comm::LinkId)>;

/// Pieces for several ranks of partners, one message for each, and those that come from them. Both
/// sides of a link put and get the same pieces in the same order.
class Mail {
 public:
  Mail(comm::Hub& hub, double timeout_s) : hub_(hub), timeout_s_(timeout_s) {}

  void put(comm::LinkId link, const std::vector<std::byte>& piece) { out_[link].put_array(piece); }
  void send() {
    for (auto& [link, writer] : std::exchange(out_, {})) {
      hub_.send(link, comm::Kind::plan, writer.take());
    }
  }
  /// Waits for the message if none is open.
  [[nodiscard]] std::vector<std::byte> get(comm::LinkId link) {
    Letter& letter = in_[link];
    if (!letter.rest || letter.rest->left() == 0) {
      letter.bytes = hub_.receive(link, comm::Kind::plan, timeout_s_);
      letter.rest.emplace(letter.bytes);
    }
    return letter.rest->get_array<std::byte>();
  }

 private:
  struct Letter {
    std::vector<std::byte> bytes;
    std::optional<comm::Reader> rest;
  };

  comm::Hub& hub_;
  double timeout_s_;
  std::map<comm::LinkId, comm::Writer> out_;
  std::map<comm::LinkId, Letter> in_;
};

} // namespace isthmus::coupling
