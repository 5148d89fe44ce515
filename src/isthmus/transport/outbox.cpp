// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/outbox.hpp"

#include "isthmus/base/checksum/crc32c.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::transport {

void Outbox::queue(Kind kind, std::vector<std::byte> payload) {
  queue_.push_back({kind, std::move(payload), 0});
}

void Outbox::post(Outgoing& message) {
  message.done = 0;
  append(posted_, message);
}

std::size_t Outbox::left() const {
  constexpr std::size_t least = std::size_t{1} << 14; // bytes of a segment, unless it is the last
  const auto needed = [](std::size_t payload) {
    return padded(payload) + header_bytes * (2 + payload / least);
  };
  std::size_t bytes = 0;
  for (const Queued& message : queue_) {
    bytes += needed(message.payload.size() - message.done);
  }
  for (const Outgoing* message = posted_; message != nullptr; message = message->next) {
    bytes += needed(message->bytes - message->done);
  }
  return bytes;
}

bool Outbox::write(Channel& channel) {
  bool moved = false;
  while (!empty()) {
    const auto space = channel.writable();
    if (space.size() < header_bytes) {
      break;
    }
    write_segment(channel, space);
    moved = true;
  }
  return moved;
}

// One segment of the oldest message, as long as fits. It has no payload if `space` ends behind the
// header.
void Outbox::write_segment(Channel& channel, std::span<std::byte> space) {
  Header header{.checked = checked_, .sequence = segments_++};
  const auto body = space.subspan(header_bytes);
  const std::size_t length = write_payload(body, header);
  const std::size_t size = padded(length);
  std::fill(body.begin() + static_cast<std::ptrdiff_t>(length),
            body.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
  header.length = static_cast<std::uint32_t>(length);
  header.checksum = checked_ ? crc32c(body.first(length), begin_checksum(header)) : 0;
  write_header(header, space.first<header_bytes>());
  channel.commit(header_bytes + size);
  if (header.kind == Kind::goodbye && length == header.total) {
    channel.finish();
  }
}

std::size_t Outbox::write_payload(std::span<std::byte> space, Header& header) {
  return queue_.empty() ? write_posted(space, header) : write_queued(space, header);
}

std::size_t Outbox::write_queued(std::span<std::byte> space, Header& header) {
  Queued& message = queue_.front();
  header.kind = message.kind;
  header.total = message.payload.size();
  const std::size_t length = std::min(space.size(), message.payload.size() - message.done);
  std::copy_n(message.payload.begin() + static_cast<std::ptrdiff_t>(message.done), length,
              space.begin());
  message.done += length;
  if (message.done == header.total) {
    ++traffic_.messages;
    traffic_.bytes += header.total;
    queue_.pop_front();
  }
  return length;
}

std::size_t Outbox::write_posted(std::span<std::byte> space, Header& header) {
  Outgoing& message = *posted_;
  header.kind = message.kind;
  header.total = message.bytes;
  const std::size_t length = std::min(space.size(), message.bytes - message.done);
  if (length > 0) {
    message.fill(message.context, message.done, space.first(length));
  }
  message.done += length;
  if (message.done == message.bytes) {
    ++traffic_.messages;
    traffic_.bytes += message.bytes;
    posted_ = message.next;
  }
  return length;
}

} // namespace isthmus::transport
