// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"
#include "isthmus/comm/pause.hpp"
#include "isthmus/transport/link.hpp"

#include <poll.h>

#include <functional>
#include <span>
#include <string_view>

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
  explicit Hub(comm::SpinPolicy policy = {});

  /// What to do before each sleep of a wait, and in progress(); it may throw, which ends the wait.
  void set_watch(std::function<void()> watch) { watch_ = std::move(watch); }

  /// Records waits there, named after the participant whose message ended them.
  void set_trace(Trace* trace) { trace_ = trace; }

  LinkId add(std::unique_ptr<Channel> channel);
  /// Forgets all links, without a word.
  void clear();
  [[nodiscard]] int size() const { return static_cast<int>(links_.size()); }
  [[nodiscard]] const Peer& peer(LinkId link) const { return at(link).peer(); }
  [[nodiscard]] std::string_view transport(LinkId link) const { return at(link).channel().kind(); }

  /// Queues a message and returns at once.
  void send(LinkId link, Kind kind, std::vector<std::byte> payload);
  /// The next message of this kind from this link. Messages of other kinds wait for their turn.
  [[nodiscard]] std::vector<std::byte> receive(LinkId link, Kind kind, double timeout_s);
  /// The next message of this kind from any of these links.
  [[nodiscard]] std::pair<LinkId, std::vector<std::byte>> receive_any(std::span<const LinkId> links,
                                                                      Kind kind, double timeout_s);

  /// Moves all these messages and returns when that is done: the outgoing ones have left, the
  /// incoming ones are drained. Allocates nothing in the long run.
  void exchange(std::span<Outgoing> outgoing, std::span<Incoming> incoming, double timeout_s);

  /// Waits until all queued messages have left.
  void flush(double timeout_s);
  /// Moves what can be moved without waiting. Throws PeerLost, and what the watch throws.
  void progress();

  /// Says goodbye to all partners that are still there and waits until they cannot miss it.
  void close(double timeout_s);
  /// After close(): waits until all partners have said goodbye, too, or are lost.
  void await_goodbyes(double timeout_s);
  /// After close(): gives partners that MPI connects some seconds to say goodbye, too. MPI keeps
  /// something of a connection to the end where only one side has ended it.
  void part_from_mpi() noexcept;
  /// Tells all partners why there is nothing more to come, after what was sent. Takes two seconds
  /// at most.
  void abort(std::string_view reason) noexcept;

  [[nodiscard]] const LinkTraffic& traffic(LinkId link) const { return at(link).traffic(); }
  [[nodiscard]] LinkTraffic traffic() const;
  [[nodiscard]] double wait_seconds() const { return wait_s_; } ///< in which nothing moved

 private:
  [[nodiscard]] Link& at(LinkId link);
  [[nodiscard]] const Link& at(LinkId link) const;
  bool pump(Link& link, bool greedy);
  bool sweep();
  template <typename Done, typename Move, typename Late>
  void wait(double timeout_s, Done done, Move move, Late late);
  void note_wait(double seconds);
  void sleep(double limit_s);
  void look() const;
  void throw_if_broken(Kind kind);
  void throw_unless_open(LinkId link, Kind kind) const;
  void throw_if_hopeless(LinkId link, Kind kind);
  [[nodiscard]] double since_trouble();
  [[noreturn]] void throw_late(LinkId link, Kind kind, double limit_s) const;
  void post(std::span<Outgoing> outgoing, std::span<Incoming> incoming);
  void activate(LinkId link);
  bool drop_done();
  bool pump_active();
  void run_posted(double timeout_s);
  void settle(double timeout_s, bool (*settled)(const Link&), std::string_view purpose);
  void try_to_settle(bool (*settled)(const Link&), double limit_s) noexcept;

  comm::SpinPolicy policy_;
  std::function<void()> watch_;
  std::vector<std::unique_ptr<Link>> links_;
  bool trouble_ = false;       // some link is not open
  double trouble_since_ = 0;   // when a peer was first found lost or broken; 0: none is
  std::vector<LinkId> active_; // links of the exchange that are not done
  Kind awaited_ = Kind::data;  // of the exchange, for messages
  std::vector<pollfd> polls_;
  double wait_s_ = 0;
  Trace* trace_ = nullptr;
  const Link* last_moved_ = nullptr;
};

} // namespace isthmus::transport
