// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/courier.hpp"

#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/transport/peer.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace isthmus::connect {

void Courier::send(transport::Kind kind, std::span<const std::byte> payload) {
  std::array<std::byte, transport::header_bytes> header{};
  transport::Header head{.kind = kind,
                         .checked = true,
                         .length = static_cast<std::uint32_t>(payload.size()),
                         .total = payload.size()};
  head.checksum = crc32c(payload, transport::begin_checksum(head));
  transport::write_header(head, header);
  out_.insert(out_.end(), header.begin(), header.end());
  out_.insert(out_.end(), payload.begin(), payload.end());
  push();
}

bool Courier::push() {
  while (!out_.empty()) {
    const ssize_t sent =
        ::send(socket_.descriptor(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      return false; // if the peer is gone, receive() will find out
    }
    out_.erase(out_.begin(), out_.begin() + sent);
  }
  return true;
}

std::optional<std::vector<std::byte>> Courier::receive(transport::Kind kind, std::size_t most) {
  std::size_t wanted = transport::header_bytes;
  transport::Header header;
  while (true) {
    if (in_.size() >= transport::header_bytes) {
      header = transport::read_header(std::span(in_).first<transport::header_bytes>(), most);
      check(header.kind == kind && header.total == header.length,
            "the peer sent a message of kind {} instead of {}", header.kind, kind);
      wanted = transport::header_bytes + header.length;
    }
    if (in_.size() == wanted) {
      break;
    }
    const std::size_t before = in_.size();
    in_.resize(wanted);
    const ssize_t got =
        ::recv(socket_.descriptor(), in_.data() + before, wanted - before, MSG_DONTWAIT);
    in_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && transport::would_block(errno)) {
      return std::nullopt;
    }
    if (got <= 0) {
      throw transport::PeerLost("the connection ended");
    }
  }
  std::vector<std::byte> payload(in_.begin() + transport::header_bytes, in_.end());
  in_.clear();
  check(crc32c(payload, transport::begin_checksum(header)) == header.checksum,
        "a message of kind {} was damaged", kind);
  return payload;
}

short Courier::events() const {
  return static_cast<short>(POLLIN | (out_.empty() ? 0 : POLLOUT));
}

} // namespace isthmus::connect
