// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/incoming_connection.hpp"
#include "isthmus/connect/outgoing_connection.hpp"
#include "isthmus/transport/hub.hpp"

#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::connect {

/// Ranks that are being connected to.
struct Calls {
  Deadline deadline;
  std::list<OutgoingConnection> outgoing{};
  std::vector<std::unique_ptr<transport::Channel>> channels{}; // null: not yet
};

/// Ranks of one participant that are being accepted.
struct ExpectedRanks {
  std::string participant;
  std::span<const int> ranks;
  Token token;
  Deadline deadline;
  std::vector<transport::LinkId> links; // -1: not yet
  std::vector<char> welcomed;
};

/// Where this rank of a participant is reached, and from where it reaches others. Links end up in
/// shared memory where both sides are on the same host and it works, else they stay TCP. A peer
/// with another configuration or version is refused, and both sides throw an Error saying why; who
/// does not know the token or speaks another protocol is notified of that, strangers that talk
/// something else, or nothing, are dropped, and all of these hold up nobody: there are only so many
/// at a time.
class Endpoint {
 public:
  /// Listens at the address of settings.network only.
  Endpoint(RankIdentity self, NetworkSettings settings);

  [[nodiscard]] const RankIdentity& self() const { return self_; }
  [[nodiscard]] const NetworkSettings& settings() const { return settings_; }
  [[nodiscard]] const Address& address() const { return address_; }
  [[nodiscard]] const transport::Socket& listener() const { return listener_; }

  /// Connects to ranks that accept, all at once; links in the order of `targets`. `token` is that
  /// of the accepting participant. The deadline is for targets that are there but do not accept
  /// yet; one that does not listen, or ends meanwhile, is an error at once: PeerLost, or Outdated
  /// if another instance listens there.
  std::vector<transport::LinkId> connect(transport::Hub& hub, std::span<const Target> targets,
                                         const Token& token, const Deadline& deadline);
  transport::LinkId connect(transport::Hub& hub, const Target& target, const Token& token,
                            const Deadline& deadline);

  /// Accepts these ranks of one participant; links in the order of `ranks`. Others that come early
  /// are kept for a later call; all calls use the same `token`, and who brings another one is
  /// refused.
  std::vector<transport::LinkId> accept(transport::Hub& hub, const std::string& participant,
                                        std::span<const int> ranks, const Token& token,
                                        const Deadline& deadline);

  /// The same a while at a time, for who looks after something else in between: goes on for
  /// `moment_s` with what was begun, and returns the links once all are there. The ranks to be
  /// accepted must outlive that.
  [[nodiscard]] Calls begin_connect(std::span<const Target> targets, const Token& token,
                                    const Deadline& deadline) const;
  [[nodiscard]] std::optional<std::vector<transport::LinkId>> connect(transport::Hub& hub,
                                                                      Calls& calls,
                                                                      double moment_s);
  [[nodiscard]] static ExpectedRanks begin_accept(const std::string& participant,
                                                  std::span<const int> ranks, const Token& token,
                                                  const Deadline& deadline);
  [[nodiscard]] std::optional<std::vector<transport::LinkId>> accept(transport::Hub& hub,
                                                                     ExpectedRanks& expected,
                                                                     double moment_s);

 private:
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] bool drop_stranger(double silent_s, double strange_s);
  void admit();
  void admit_incoming(transport::Hub& hub, ExpectedRanks& expected);
  void judge(IncomingConnection& incoming, ExpectedRanks& expected);
  void admit(IncomingConnection& incoming, ExpectedRanks& expected);
  [[noreturn]] void turn_away(IncomingConnection& incoming, const std::string& reason) const;
  [[nodiscard]] bool can_share(const Hello& hello) const;
  [[nodiscard]] Hello hello_to(const Target& target) const;

  RankIdentity self_;
  NetworkSettings settings_;
  Address address_;
  transport::Socket listener_;
  std::list<IncomingConnection> incoming_;
};

} // namespace isthmus::connect
