// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cerrno>

namespace isthmus::transport {

namespace {

constexpr std::size_t piece = std::size_t{1} << 17; // bytes to fill before they are sent

} // namespace

TcpChannel::TcpChannel(Socket socket, Peer peer, std::size_t capacity)
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      capacity_(capacity),
      limit_(capacity),
      out_(capacity),
      in_(capacity) {}

TcpChannel::~TcpChannel() {
  ::shutdown(socket_.descriptor(), SHUT_WR);
}

std::span<std::byte> TcpChannel::writable() {
  const std::size_t free = limit_ - std::min(limit_, out_.size());
  if (limit_ == capacity_ && free < capacity_ / 8) {
    return {};
  }
  const auto space = out_.space();
  const std::size_t units = std::min({space.size(), piece, free}) / stream_unit;
  return space.first(units * stream_unit);
}

void TcpChannel::widen(std::size_t room) {
  limit_ = room > 0 ? out_.size() + room : capacity_;
  if (limit_ > out_.capacity()) {
    out_.resize(std::bit_ceil(limit_));
  }
}

std::size_t TcpChannel::held() {
  return out_.size() - std::min(out_.size(), capacity_);
}

void TcpChannel::send_some() {
  while (out_.size() > 0 && !deaf_) {
    const auto bytes = out_.content();
    const ssize_t sent =
        ::send(socket_.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      deaf_ = !would_block(errno);
      cut_off_ = cut_off_ || means_unreachable(errno); // which is said once
      return;
    }
    out_.remove(static_cast<std::size_t>(sent));
  }
  if (out_.size() == 0 && out_.capacity() > capacity_) {
    out_.resize(capacity_);
  }
  if (ends_ && out_.size() == 0) {
    ends_ = false;
    ::shutdown(socket_.descriptor(), SHUT_WR);
  }
}

void TcpChannel::finish() {
  ends_ = true;
  send_some();
}

void TcpChannel::receive_some() {
  while (in_.free() > 0 && !finished_) {
    const auto space = in_.space();
    const ssize_t got = ::recv(socket_.descriptor(), space.data(), space.size(), MSG_DONTWAIT);
    if (got <= 0) {
      finished_ = got == 0 || !would_block(errno);
      cut_off_ = cut_off_ || (got < 0 && means_unreachable(errno));
      return;
    }
    in_.append(static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < space.size()) {
      return; // most likely there is no more
    }
  }
}

void TcpChannel::progress() {
  send_some();
  receive_some();
  if (cut_off_) {
    throw_unreachable(peer_);
  }
  if (finished_) {
    throw_crashed(peer_);
  }
}

bool TcpChannel::delivered() const {
  int unacknowledged = 0;
  return flushed() &&
         (::ioctl(socket_.descriptor(), SIOCOUTQ, &unacknowledged) != 0 || unacknowledged == 0);
}

short TcpChannel::arm() {
  return static_cast<short>((in_.free() > 0 ? POLLIN : 0) | (out_.size() > 0 ? POLLOUT : 0));
}

void TcpChannel::disarm() {
  constexpr int naps_per_look = 10;
  if (++naps_ >= naps_per_look) {
    naps_ = 0;
    cut_off_ = cut_off_ || is_unanswered(socket_);
  }
}

} // namespace isthmus::transport
