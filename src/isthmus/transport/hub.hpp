// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"
#include "isthmus/comm/pause.hpp"
#include "isthmus/transport/link_set.hpp"
#include "isthmus/transport/posted_links.hpp"
#include "isthmus/transport/waiter.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace isthmus::transport {

/// All links of this rank to ranks of other participants. While it waits for one it serves all, so
/// that everybody may send at once.
///
/// What a peer sent before it crashed or left is received first. Throws PeerLost when more is
/// waited for; where another peer is waited for, a moment after all of a crashed one, or of one
/// that said goodbye with a reason, was received; Error where time is up. After an Error only
/// abort() is of use.
class Hub {
 public:
  explicit Hub(comm::SpinPolicy policy = {}) : waiter_(links_, policy) {}
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// What to do before each sleep of a wait, and in progress(); it may throw, which ends the wait.
  void set_watch(std::function<void()> watch) { waiter_.set_watch(std::move(watch)); }

  /// How long a wait looks before it sleeps, and whether links that are added from now on carry a
  /// checksum with each message.
  void configure(comm::SpinPolicy policy, bool checksums) {
    waiter_.set_policy(policy);
    checksums_ = checksums;
  }

  /// How many bytes of messages of steps this rank may hold for partners that do not take them, in
  /// all, beyond what the system does; 0: it waits until they do.
  void set_queue_limit(std::size_t bytes);
  /// The most that it has held so.
  [[nodiscard]] std::size_t most_queued() const { return links_.most_held(); }

  /// Records waits there, named after the participant whose message ended them.
  void set_trace(Trace* trace) { waiter_.set_trace(trace); }

  LinkId add(std::unique_ptr<Channel> channel);
  /// Forgets all links, without a word.
  void clear();
  [[nodiscard]] int size() const { return links_.size(); }
  [[nodiscard]] const Peer& peer(LinkId link) const { return links_.at(link).peer(); }
  [[nodiscard]] std::string_view transport(LinkId link) const {
    return links_.at(link).channel().kind();
  }

  /// Queues a message and returns at once.
  void send(LinkId link, Kind kind, std::vector<std::byte> payload);
  /// The next message of this kind from this link. Messages of other kinds wait for their turn.
  [[nodiscard]] std::vector<std::byte> receive(LinkId link, Kind kind, double timeout_s);
  /// Waits until one of these messages is here, and returns which; receive() takes it.
  struct Expected {
    LinkId link = -1;
    Kind kind = Kind::control;
  };
  [[nodiscard]] std::size_t await_any(std::span<const Expected> messages, double timeout_s);

  /// Moves all these messages and returns when that is done: the outgoing ones have left, or are
  /// held for a partner that does not take them, the incoming ones are drained. Allocates nothing
  /// in the long run. `enough`: ends the wait for incoming ones that have not begun to arrive,
  /// which may be posted again.
  void exchange(std::span<Outgoing> outgoing, std::span<Incoming> incoming, double timeout_s,
                const std::function<bool()>& enough = {});

  /// Waits until all queued messages have left, or, if `may_hold`, are held for a partner that
  /// does not take them.
  void flush(double timeout_s, bool may_hold = false);
  /// Moves what can be moved without waiting. Throws PeerLost, and what the watch throws.
  void progress();

  /// Says goodbye to all partners that are still there and waits until they cannot miss it.
  void close(double timeout_s);
  /// After close(): waits until all partners have said goodbye, too, or are lost.
  void await_goodbyes(double timeout_s);
  /// After close(): gives partners that MPI connects some seconds to say goodbye, too. MPI keeps
  /// something of a connection to the end where only one side has ended it.
  void part_from_mpi() noexcept;
  /// Reports to all partners why there is nothing more to come, after what was sent. Takes two
  /// seconds at most.
  void abort(std::string_view reason) noexcept;

  [[nodiscard]] LinkTraffic traffic(LinkId link) const { return links_.at(link).traffic(); }
  [[nodiscard]] LinkTraffic traffic() const;
  [[nodiscard]] double wait_seconds() const { return waiter_.seconds(); } ///< nothing moved

 private:
  void await_links(double timeout_s, bool (*done)(const Link&), std::string_view purpose,
                   bool may_hold = false);

  LinkSet links_;
  bool checksums_ = false;
  std::size_t queue_limit_ = 0;
  Waiter waiter_;
  PostedLinks posted_{links_};
};

} // namespace isthmus::transport
