// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/shm_channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace isthmus::transport {

ShmChannel::ShmChannel(SharedSegment segment, int side, Socket bell, Peer peer)
    : segment_(std::move(segment)),
      side_(side),
      bell_(std::move(bell)),
      peer_(std::move(peer)),
      capacity_(segment_.ring_capacity()),
      out_(segment_.ring(side)),
      in_(segment_.ring(1 - side)),
      out_at_(segment_.positions(side)),
      in_at_(segment_.positions(1 - side)) {}

std::span<std::byte> ShmChannel::writable() {
  if (congested()) {
    look_at_tail();
  }
  wants_space_ = congested();
  if (wants_space_) {
    return {};
  }
  const std::uint64_t at = head_ & (capacity_ - 1);
  // A quarter at most, so that the peer reads while we write.
  return {out_ + at, std::min({capacity_ - (head_ - seen_tail_), capacity_ - at, capacity_ / 4})};
}

void ShmChannel::commit(std::size_t n) {
  head_ += n;
  out_at_.head.store(head_);
  wake_peer();
}

std::span<const std::byte> ShmChannel::readable() {
  if (seen_head_ == tail_) {
    look_at_head();
  }
  const std::uint64_t at = tail_ & (capacity_ - 1);
  return {in_ + at, std::min({seen_head_ - tail_, capacity_ - at, capacity_ / 4})};
}

void ShmChannel::consume(std::size_t n) {
  tail_ += n;
  in_at_.tail.store(tail_);
  wake_peer();
}

void ShmChannel::progress() {
  if (finished_) {
    throw_crashed(peer_);
  }
}

short ShmChannel::arm() {
  segment_.sleeps(side_).store(1);
  look_at_head();
  look_at_tail();
  const bool busy = seen_head_ != tail_ || (wants_space_ && !congested());
  return busy ? 0 : POLLIN;
}

void ShmChannel::disarm() {
  segment_.sleeps(side_).store(0, std::memory_order_relaxed);
  std::array<std::byte, 64> rings;
  ssize_t got = 0;
  do {
    got = ::recv(bell_.descriptor(), rings.data(), rings.size(), MSG_DONTWAIT);
  } while (got > 0);
  finished_ = finished_ || got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void ShmChannel::look_at_tail() {
  seen_tail_ = out_at_.tail.load();
  if (head_ - seen_tail_ > capacity_) {
    fail("{} damaged the shared memory", peer_);
  }
}

void ShmChannel::look_at_head() {
  seen_head_ = in_at_.head.load();
  if (seen_head_ - tail_ > capacity_) {
    fail("{} damaged the shared memory", peer_);
  }
}

// Whoever goes to sleep sets its flag, then looks at the positions; we have moved ours, now look at
// the flag. All four in one order for both sides (sequentially consistent), so at least one of both
// sees the other.
void ShmChannel::wake_peer() {
  auto& sleeps = segment_.sleeps(1 - side_);
  if (sleeps.load() != 0 && sleeps.exchange(0) != 0) {
    const std::byte ring{1};
    const ssize_t sent = ::send(bell_.descriptor(), &ring, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    finished_ =
        finished_ || (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  }
}

} // namespace isthmus::transport
