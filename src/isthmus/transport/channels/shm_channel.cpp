// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/shm_channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace isthmus::transport {

ShmChannel::ShmChannel(SharedSegment segment, int side, Socket bell, Peer peer)
    : segment_(std::move(segment)),
      side_(side),
      bell_(std::move(bell)),
      peer_(std::move(peer)),
      out_(segment_, side, peer_),
      in_(segment_, 1 - side, peer_) {}

void ShmChannel::commit(std::size_t n) {
  out_.append(n);
  wake_peer();
}

void ShmChannel::consume(std::size_t n) {
  in_.remove(n);
  wake_peer();
}

void ShmChannel::progress() {
  if (cut_off_) {
    throw_unreachable(peer_);
  }
  if (finished_) {
    throw_crashed(peer_);
  }
}

void ShmChannel::finish() {
  ends_ = true;
  ::shutdown(bell_.descriptor(), SHUT_WR);
}

short ShmChannel::arm() {
  segment_.sleeps(side_).store(1);
  const bool has_content = in_.has_content();
  return has_content || out_.has_new_space() ? 0 : POLLIN;
}

void ShmChannel::disarm() {
  segment_.sleeps(side_).store(0, std::memory_order_relaxed);
  std::array<std::byte, 64> rings;
  ssize_t got = 0;
  do {
    got = ::recv(bell_.descriptor(), rings.data(), rings.size(), MSG_DONTWAIT);
  } while (got > 0);
  cut_off_ = cut_off_ || (got < 0 && means_unreachable(errno));
  finished_ = finished_ || got == 0 || !would_block(errno);
}

// Whoever goes to sleep sets its flag, then looks at the positions; we have moved ours, now look at
// the flag. All four in one order for both sides (sequentially consistent), so at least one of both
// sees the other.
void ShmChannel::wake_peer() {
  if (ends_) { // its end has woken the peer, too
    return;
  }
  auto& sleeps = segment_.sleeps(1 - side_);
  if (sleeps.load() != 0 && sleeps.exchange(0) != 0) {
    const std::byte ring{1};
    const ssize_t sent = ::send(bell_.descriptor(), &ring, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    cut_off_ = cut_off_ || (sent < 0 && means_unreachable(errno));
    finished_ = finished_ || (sent < 0 && !would_block(errno));
  }
}

} // namespace isthmus::transport
