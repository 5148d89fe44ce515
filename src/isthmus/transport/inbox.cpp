// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/inbox.hpp"

#include "isthmus/base/checksum/crc32c.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::transport {

namespace {

constexpr std::size_t max_segment = std::size_t{1} << 30; // bytes
constexpr std::size_t alignment = 8;                      // bytes, of pieces

} // namespace

std::optional<std::vector<std::byte>> Inbox::take(Kind kind) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [kind](const Message& message) { return message.kind == kind; });
  if (found == waiting_.end()) {
    return std::nullopt;
  }
  auto payload = std::move(found->payload);
  waiting_.erase(found);
  return payload;
}

bool Inbox::has(Kind kind) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [kind](const Message& message) { return message.kind == kind; });
}

bool Inbox::has_unexpected() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const Message& message) { return message.kind >= Kind::data; });
}

void Inbox::post(Incoming& message) {
  if (auto early = take(message.kind)) {
    drain_whole(*early, message);
    spare_ = std::move(*early);
    return;
  }
  append(posted_, message);
}

void Inbox::withdraw() {
  posted_ = nullptr;
  if (arrival_ && arrival_->sink != nullptr) {
    arrival_->sink = nullptr;
    arrival_->unwanted = true;
  }
}

bool Inbox::read(Channel& channel, bool greedy) {
  bool moved = false;
  while (!goodbye_) {
    const auto bytes = channel.readable();
    const std::size_t used = bytes.empty() ? 0 : parse(bytes, greedy);
    if (used == 0) {
      break;
    }
    channel.consume(used);
    moved = true;
  }
  return moved;
}

// Returns how many of the bytes it could use.
std::size_t Inbox::parse(std::span<const std::byte> bytes, bool greedy) {
  std::size_t used = 0;
  while (!goodbye_) {
    const auto rest = bytes.subspan(used);
    if (segment_.left > 0) {
      std::size_t n = std::min(rest.size(), segment_.left);
      n = n < segment_.left ? n / alignment * alignment : n;
      if (n == 0) {
        break;
      }
      deliver(rest.first(n));
      used += n;
    } else if (segment_.padding > 0) {
      const std::size_t n = std::min(rest.size(), segment_.padding);
      if (n == 0) {
        break;
      }
      segment_.padding -= n;
      used += n;
    } else {
      const bool awaited = greedy || posted_ != nullptr || arrival_.has_value();
      if (rest.size() < header_bytes || !awaited) {
        break;
      }
      begin_segment(read_header(rest.first<header_bytes>(), max_segment));
      used += header_bytes;
    }
  }
  return used;
}

void Inbox::begin_segment(const Header& header) {
  check(header.sequence == segments_, "a segment of {} is missing: number {} instead of {}", peer_,
        header.sequence, segments_);
  ++segments_;
  check(header.checked || !checked_,
        "{} sends no checksums, but here ISTHMUS_CHECKSUM=1; set it for all participants", peer_);
  if (header.kind == Kind::goodbye) {            // may come in the middle of a message
    if (arrival_ && arrival_->sink != nullptr) { // which is waited for, and is not done
      arrival_->sink->next = std::exchange(posted_, arrival_->sink);
    }
    arrival_.reset();
  }
  if (!arrival_) {
    begin_message(header);
  }
  check(arrival_->message.kind == header.kind && arrival_->total == header.total &&
            arrival_->done + header.length <= header.total,
        "{} sent a segment that does not continue its message of kind {}", peer_,
        arrival_->message.kind);
  segment_ = {.left = header.length,
              .padding = padded(header.length) - header.length,
              .checked = header.checked,
              .expected = header.checksum,
              .checksum = header.checked ? begin_checksum(header) : 0};
  if (segment_.left == 0) {
    end_segment();
  }
}

void Inbox::begin_message(const Header& header) {
  constexpr std::uint64_t trusted_size = std::uint64_t{1} << 24; // larger ones grow as they arrive
  arrival_.emplace();
  arrival_->message.kind = header.kind;
  arrival_->total = header.total;
  arrival_->sink = match(header.kind);
  if (arrival_->sink != nullptr) {
    arrival_->sink->begin(arrival_->sink->context, header.total);
  } else {
    arrival_->message.payload = std::exchange(spare_, {});
    arrival_->message.payload.clear();
    arrival_->message.payload.reserve(std::min(header.total, trusted_size));
  }
}

void Inbox::deliver(std::span<const std::byte> piece) {
  if (segment_.checked) {
    segment_.checksum = crc32c(piece, segment_.checksum);
  }
  if (const Incoming* sink = arrival_->sink) {
    sink->drain(sink->context, arrival_->done, piece);
  } else if (!arrival_->unwanted) {
    auto& payload = arrival_->message.payload;
    payload.insert(payload.end(), piece.begin(), piece.end());
  }
  arrival_->done += piece.size();
  segment_.left -= piece.size();
  if (segment_.left == 0) {
    end_segment();
  }
}

void Inbox::end_segment() {
  check(segment_.checksum == segment_.expected || !segment_.checked,
        "a message of kind {} from {} was damaged on its way: checksum {:#x} instead of {:#x}",
        arrival_->message.kind, peer_, segment_.checksum, segment_.expected);
  if (arrival_->done == arrival_->total) {
    end_message();
  }
}

void Inbox::end_message() {
  ++traffic_.messages;
  traffic_.bytes += arrival_->total;
  if (arrival_->message.kind == Kind::goodbye) {
    const auto& reason = arrival_->message.payload;
    goodbye_.emplace(reinterpret_cast<const char*>(reason.data()), reason.size());
  } else if (arrival_->sink == nullptr && !arrival_->unwanted) {
    if (const Incoming* sink = match(arrival_->message.kind)) { // posted since it began
      drain_whole(arrival_->message.payload, *sink);
      spare_ = std::move(arrival_->message.payload);
    } else {
      waiting_.push_back(std::move(arrival_->message));
    }
  }
  arrival_.reset();
}

// Takes the first posted message of this kind off the list.
Incoming* Inbox::match(Kind kind) {
  for (Incoming** at = &posted_; *at != nullptr; at = &(*at)->next) {
    if ((*at)->kind == kind) {
      return std::exchange(*at, (*at)->next);
    }
  }
  return nullptr;
}

void Inbox::drain_whole(const std::vector<std::byte>& payload, const Incoming& sink) {
  sink.begin(sink.context, payload.size());
  if (!payload.empty()) {
    sink.drain(sink.context, 0, payload);
  }
}

} // namespace isthmus::transport
