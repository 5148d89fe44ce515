// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/link.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::transport {

/// The links of a rank by number, and what is known of those that are not open any more.
class LinkSet {
 public:
  LinkId add(std::unique_ptr<Channel> channel, bool checked);
  /// Forgets all links, without a word.
  void clear();
  [[nodiscard]] int size() const { return static_cast<int>(links_.size()); }
  [[nodiscard]] Link& at(LinkId link) { return *links_.at(static_cast<std::size_t>(link)); }
  [[nodiscard]] const Link& at(LinkId link) const {
    return *links_.at(static_cast<std::size_t>(link));
  }
  [[nodiscard]] std::span<const std::unique_ptr<Link>> all() const { return links_; }

  /// Moves what one link can move, and notes how it is. Returns whether anything moved.
  bool pump(Link& link, bool greedy);
  /// The same for all links.
  bool sweep();
  /// Moves what leaves and cannot go yet into the channels, as long as these hold less than
  /// `limit` bytes in all that they would not hold by themselves. Returns whether anything moved.
  bool hold(std::size_t limit);
  /// Bytes that leave and are not in the channels yet.
  [[nodiscard]] std::size_t left() const;
  /// The most bytes that they have held so.
  [[nodiscard]] std::size_t most_held() const { return most_held_; }
  /// The link on which something moved last; null if nothing has.
  [[nodiscard]] const Link* last_moved() const { return last_moved_; }

  /// Some link is not open.
  [[nodiscard]] bool has_trouble() const { return trouble_; }
  /// Throws PeerLost if this link is not open: "… (while waiting for kind)".
  void throw_unless_open(LinkId link, Kind kind) const;
  /// The same for a link that is waited for. A process is often ended because another one of its
  /// job failed, and that one says why: to another link of this rank, or to another rank, which
  /// raises an alarm. So one that is lost is given a moment.
  void throw_if_hopeless(LinkId link, Kind kind);
  /// Throws PeerLost if any link is broken, after a moment: others of our participant may still be
  /// receiving what its peer sent.
  void throw_if_broken(Kind kind);

 private:
  [[nodiscard]] double since_trouble();

  std::vector<std::unique_ptr<Link>> links_;
  bool trouble_ = false;
  double trouble_since_ = 0; // when a peer was first found lost or broken; 0: none is
  const Link* last_moved_ = nullptr;
  std::size_t most_held_ = 0; // bytes
};

} // namespace isthmus::transport
