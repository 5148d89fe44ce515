// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/connect/search.hpp"
#include "isthmus/rendezvous/across.hpp"
#include "isthmus/transport/hub.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::partner {

/// All participants in one MPI job, as the solvers gave it: a communicator and who is where in it.
struct JointJob {
  comm::Comm comm;
  std::map<std::string, std::vector<int>> ranks; // in comm, by participant, in its order
};

/// What all connections of one participant share.
struct Context {
  const comm::Comm& comm;
  transport::Hub& hub;
  connect::Identity identity;
  transport::Token token;      // of this participant
  connect::Endpoint* endpoint; // null if a joint job is given: then no socket is opened
  const JointJob* joint;       // may be null
  const Log& log;
  Trace& trace;
  /// To be called on the first rank before the partner can know that both have met.
  std::function<void(const std::string& partner)> met;
  double timeout;          // seconds until a peer that never came is an error
  double progress_timeout; // seconds that a living peer may take to come to a meeting point
};

/// One partner participant and this rank's links to its ranks.
class Connection {
 public:
  /// Collective over both participants: the first ranks meet.
  Connection(Context& context, const config::M2N& m2n, std::string partner);

  /// Collective. Links this rank with ranks of the partner, which do the same with this one;
  /// existing links are used again.
  void link(std::span<const rendezvous::Partner> partners);
  /// The same for one of them, not collective.
  void link(const rendezvous::Partner& partner) { link_here(std::span(&partner, 1)); }
  /// Collective over both participants. Links every rank of the provider with the rank of the
  /// receiver that speaks for it; only the first call does anything.
  void link_proxies(rendezvous::Side side);

  [[nodiscard]] const std::string& partner() const { return partner_; }
  /// True on one of the two sides.
  [[nodiscard]] bool accepts() const { return accepts_; }
  [[nodiscard]] int remote_size() const { return remote_size_; }
  [[nodiscard]] transport::LinkId link_to(int remote_rank) const { return links_.at(remote_rank); }
  /// On the first rank the link to the partner's first rank, else -1.
  [[nodiscard]] transport::LinkId link_to_first() const {
    return context_.comm.is_root() ? links_.at(0) : -1;
  }
  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] std::vector<std::byte> own_address() const;

  /// Collective. The primaries swap `own` and tell all ranks what the partner's said.
  [[nodiscard]] std::vector<std::byte> swap(std::vector<std::byte> own);

 private:
  void meet_by_sockets(const config::M2N& m2n);
  void shake_hands(const config::M2N& m2n);
  [[nodiscard]] bool wants_mpi(const config::M2N& m2n) const;
  void join_jobs();
  [[nodiscard]] transport::LinkId link_by_mpi(int remote_rank);
  void link_here(std::span<const rendezvous::Partner> partners);
  void link_proxies_by_mpi(rendezvous::Side side);
  [[nodiscard]] transport::LinkId find_partner(const config::M2N& m2n);
  [[nodiscard]] transport::LinkId link_first(const connect::Announcement& other,
                                             const std::function<void()>& look);

  Context& context_;
  bool accepts_; // or connects
  std::string partner_;
  int remote_size_ = 0;
  transport::Token token_{};               // of the accepting side
  bool in_one_job_ = false;                // on the first ranks
  bool same_host_ = false;                 // on the first ranks
  bool use_mpi_ = false;                   // on the first ranks: both sides want to
  std::map<int, transport::LinkId> links_; // by rank of the partner
  std::optional<comm::Comm> own_joint_;
  const comm::Comm* joint_ = nullptr;         // messages go through it, if there is one
  std::vector<int> joint_ranks_;              // in it, of the partner's ranks
  std::set<rendezvous::Side> linked_proxies_; // by our side
};

/// What the algorithms of a rendezvous say to each other, as messages of one kind over the links to
/// a partner.
class AcrossLinks final : public rendezvous::Across {
 public:
  AcrossLinks(Connection& partner, transport::Kind kind) : partner_(partner), kind_(kind) {}

  void send(int remote_rank, std::vector<std::byte> bytes) override;
  [[nodiscard]] std::vector<std::byte> receive(int remote_rank) override;
  void link(const rendezvous::Partner& partner) override { partner_.link(partner); }

 private:
  Connection& partner_;
  transport::Kind kind_;
};

} // namespace isthmus::partner
