// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/link_set.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::transport {

/// The links of an exchange on which something that was posted is not done yet.
class PostedLinks {
 public:
  explicit PostedLinks(LinkSet& links) : links_(links) {}

  void reserve(int num_links) { active_.reserve(static_cast<std::size_t>(num_links)); }
  void post(std::span<Outgoing> outgoing, std::span<Incoming> incoming);
  /// Moves what these links can move, and forgets those that are done. Returns whether there was
  /// anything of it.
  bool pump();
  /// All is done. Throws PeerLost if it never will be.
  [[nodiscard]] bool is_done();
  /// Something is to be received.
  [[nodiscard]] bool is_awaiting() const;
  /// Forgets the links whose messages are in their channels. Returns whether there was one.
  bool drop_held();
  /// Forgets what is to be received and has not begun to arrive.
  void withdraw_awaited();
  /// Forgets what is posted.
  void withdraw();
  /// Forgets the links.
  void clear() { active_.clear(); }

  [[nodiscard]] LinkId first() const { return active_.front(); }
  [[nodiscard]] Kind awaited() const { return awaited_; } ///< what was posted, for error texts

 private:
  void activate(LinkId link);
  bool drop_done();
  template <typename Over>
  bool drop(Over over);

  LinkSet& links_;
  std::vector<LinkId> active_;
  Kind awaited_ = Kind::data;
};

} // namespace isthmus::transport
