// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/announce.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/endpoint.hpp"
#include "isthmus/comm/hub.hpp"
#include "isthmus/config/config.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// What all connections of one participant share.
struct Context {
  const comm::Comm& comm;
  comm::Hub& hub;
  comm::Token token; // of this participant
  comm::Endpoint& endpoint;
  const Log& log;
  Trace& trace;
  double timeout;  // seconds until a peer that never came, or does not answer, is an error
  double patience; // seconds that a living peer may take to come to a meeting point
};

/// One partner participant and this rank's links to its ranks.
class Connection {
 public:
  /// Collective over both participants: the first ranks meet.
  Connection(Context& context, const config::M2N& m2n, std::string partner);

  /// Links this rank with ranks of the partner, which do the same at the same time with this one;
  /// existing links are used again. Collective in pairs.
  struct Contact {
    int rank;
    std::vector<std::byte> address;
  };
  void link(std::span<const Contact> contacts);

  [[nodiscard]] const std::string& partner() const { return partner_; }
  [[nodiscard]] int remote_size() const { return remote_size_; }
  [[nodiscard]] comm::LinkId link_to(int remote_rank) const { return links_.at(remote_rank); }
  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] std::vector<std::byte> own_address() const;

  /// Collective. The primaries swap `own` and tell all ranks what the partner's said.
  [[nodiscard]] std::vector<std::byte> swap(std::vector<std::byte> own);

 private:
  void meet(const config::M2N& m2n);
  comm::LinkId link_first(const comm::Announcement& other, const std::function<void()>& watch);

  Context& context_;
  bool accepts_; // or connects
  std::string partner_;
  int remote_size_ = 0;
  comm::Token token_{};               // of the accepting side
  std::map<int, comm::LinkId> links_; // by rank of the partner
};

} // namespace isthmus::coupling
