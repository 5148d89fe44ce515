// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/partner/context.hpp"
#include "isthmus/partner/joint_ranks.hpp"
#include "isthmus/rendezvous/across.hpp"
#include "isthmus/transport/hub.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::partner {

/// One partner participant and this rank's links to its ranks.
class Connection {
 public:
  /// Collective over both participants: the first ranks meet.
  Connection(Context& context, const config::M2N& m2n, std::string partner);

  /// Collective over both participants. Finds the ranks of the partner whose boxes meet the boxes
  /// of this rank, links with them and returns them ascending. Both sides get matching answers.
  /// Where a single rank receives, it is the partner of every rank.
  [[nodiscard]] std::vector<int> find_partners(rendezvous::Side side,
                                               config::Initialization initialization,
                                               std::span<const geometry::Box> boxes);
  /// Collective over both participants. The same for the one-level initialization: partners have a
  /// vertex in common. `ids`: the vertices that this rank provides, or needs.
  [[nodiscard]] std::vector<int> find_partners_by_ids(rendezvous::Side side,
                                                      std::span<const GlobalIndex> ids);
  /// Collective over both participants. Links every rank of the provider with the rank of the
  /// receiver that speaks for it; only the first call of each side does anything.
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

  /// Collective. The first ranks swap messages and send all ranks what the partner's said. Error
  /// where that is cut off or too long, and as Hub::receive().
  template <class Message>
  [[nodiscard]] Message swap(const Message& own) {
    Writer writer;
    own.write(writer);
    const std::vector<std::byte> bytes = swap_bytes(Message::kind, writer.take());
    Reader reader(bytes);
    Message other = Message::read(reader);
    reader.finish();
    return other;
  }

 private:
  [[nodiscard]] std::vector<std::byte> swap_bytes(transport::Kind kind, std::vector<std::byte> own);
  void join_by_mpi();
  class Links;
  [[nodiscard]] std::vector<rendezvous::Partner> all_ranks();
  /// Collective. Links this rank with ranks of the partner, which do the same with this one;
  /// existing links are used again.
  [[nodiscard]] std::vector<int> link(std::span<const rendezvous::Partner> partners);
  void link_here(std::span<const rendezvous::Partner> partners);
  void link_proxies_by_mpi(rendezvous::Side side);

  Context& context_;
  bool accepts_; // or connects
  std::string partner_;
  int remote_size_ = 0;
  Token token_{};                             // of the accepting side
  std::map<int, transport::LinkId> links_;    // by rank of the partner
  std::optional<JointRanks> joint_;           // where messages go through MPI
  std::set<rendezvous::Side> linked_proxies_; // by our side
};

} // namespace isthmus::partner
