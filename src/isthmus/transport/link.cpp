// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/link.hpp"

#include <algorithm>
#include <cstring>

namespace isthmus::transport {

namespace {

constexpr std::size_t max_segment = std::size_t{1} << 30; // bytes
constexpr std::size_t max_reason = 2048;                  // bytes, fits in any segment
constexpr std::size_t alignment = 8;                      // bytes, of pieces

constexpr Incoming nowhere{.begin = [](void*, std::size_t) {},
                           .drain = [](void*, std::size_t, std::span<const std::byte>) {}};

template <typename T>
void append(T*& list, T& item) {
  item.next = nullptr;
  T** end = &list;
  while (*end != nullptr) {
    end = &(*end)->next;
  }
  *end = &item;
}

} // namespace

LinkTraffic& LinkTraffic::operator+=(const LinkTraffic& other) {
  messages_out += other.messages_out;
  messages_in += other.messages_in;
  bytes_out += other.bytes_out;
  bytes_in += other.bytes_in;
  return *this;
}

Link::Link(std::unique_ptr<Channel> channel, bool checked)
    : channel_(std::move(channel)), checked_(checked) {}

void Link::send(Kind kind, std::vector<std::byte> payload) {
  if (state_ != State::open) {
    return;
  }
  queue_.push_back({{kind, std::move(payload)}, 0});
}

std::optional<std::vector<std::byte>> Link::take(Kind kind) {
  const auto found = std::find_if(inbox_.begin(), inbox_.end(),
                                  [kind](const Message& message) { return message.kind == kind; });
  if (found == inbox_.end()) {
    return std::nullopt;
  }
  auto payload = std::move(found->payload);
  inbox_.erase(found);
  return payload;
}

bool Link::has_unexpected() const {
  return std::any_of(inbox_.begin(), inbox_.end(),
                     [](const Message& message) { return message.kind >= Kind::data; });
}

void Link::post(Outgoing& message) {
  if (state_ != State::open && has_unexpected()) {
    return;
  }
  message.done = 0;
  append(outgoing_, message);
}

void Link::post(Incoming& message) {
  if (auto early = take(message.kind)) {
    hand_over(*early, message);
    spare_ = std::move(*early);
    return;
  }
  append(incoming_, message);
}

bool Link::is_done() const {
  const bool receiving = incoming_ != nullptr || (arrival_ && arrival_->sink != nullptr);
  return queue_.empty() && outgoing_ == nullptr && !receiving && channel_->flushed();
}

void Link::withdraw() {
  outgoing_ = nullptr;
  incoming_ = nullptr;
  if (arrival_ && arrival_->sink != nullptr) {
    arrival_->sink = &nowhere;
  }
}

void Link::say_goodbye(std::string_view reason) {
  if (state_ != State::open) {
    channel_->finish();
    return;
  }
  const auto text = std::as_bytes(std::span(reason.substr(0, max_reason)));
  send(Kind::goodbye, {text.begin(), text.end()});
}

void Link::clear() {
  withdraw();
  queue_.clear();
}

bool Link::pump(bool greedy) {
  if (state_ != State::open) {
    return false;
  }
  bool moved = write();
  try {
    channel_->progress();
    moved |= read(greedy);
  } catch (const PeerLost& lost) {
    read(true); // its last words
    if (state_ == State::open) {
      state_ = State::broken;
      lost_ = true;
      epitaph_ = lost.what();
    }
    moved = true;
  }
  return moved;
}

bool Link::write() {
  bool moved = false;
  while (!queue_.empty() || outgoing_ != nullptr) {
    const auto space = channel_->writable();
    if (space.size() < header_bytes) {
      break;
    }
    write_segment(space);
    moved = true;
  }
  return moved;
}

// One segment of the oldest message, as long as fits. It has no payload if `space` ends behind the
// header.
void Link::write_segment(std::span<std::byte> space) {
  Header header{.checked = checked_, .sequence = sent_segments_++};
  const auto body = space.subspan(header_bytes);
  const std::size_t length = write_payload(body, header);
  const std::size_t size = padded(length);
  std::fill(body.begin() + static_cast<std::ptrdiff_t>(length),
            body.begin() + static_cast<std::ptrdiff_t>(size), std::byte{0});
  header.length = static_cast<std::uint32_t>(length);
  header.checksum = checked_ ? crc32(body.first(length), begin_checksum(header)) : 0;
  write_header(header, space.first<header_bytes>());
  channel_->commit(header_bytes + size);
  if (header.kind == Kind::goodbye && length == header.total) {
    channel_->finish();
  }
}

std::size_t Link::write_payload(std::span<std::byte> space, Header& header) {
  if (!queue_.empty()) {
    Queued& message = queue_.front();
    header.kind = message.kind;
    header.total = message.payload.size();
    const std::size_t length = std::min(space.size(), message.payload.size() - message.done);
    std::copy_n(message.payload.begin() + static_cast<std::ptrdiff_t>(message.done), length,
                space.begin());
    message.done += length;
    if (message.done == header.total) {
      ++traffic_.messages_out;
      traffic_.bytes_out += header.total;
      queue_.pop_front();
    }
    return length;
  }
  Outgoing& message = *outgoing_;
  header.kind = message.kind;
  header.total = message.bytes;
  const std::size_t length = std::min(space.size(), message.bytes - message.done);
  if (length > 0) {
    message.fill(message.context, message.done, space.first(length));
  }
  message.done += length;
  if (message.done == message.bytes) {
    ++traffic_.messages_out;
    traffic_.bytes_out += message.bytes;
    outgoing_ = message.next;
  }
  return length;
}

bool Link::read(bool greedy) {
  bool moved = false;
  while (state_ == State::open) {
    const auto bytes = channel_->readable();
    const std::size_t used = bytes.empty() ? 0 : parse(bytes, greedy);
    if (used == 0) {
      break;
    }
    channel_->consume(used);
    moved = true;
  }
  return moved;
}

// Returns how many of the bytes it could use.
std::size_t Link::parse(std::span<const std::byte> bytes, bool greedy) {
  std::size_t used = 0;
  while (state_ == State::open) {
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
      const bool awaited = greedy || incoming_ != nullptr || arrival_.has_value();
      if (rest.size() < header_bytes || !awaited) {
        break;
      }
      begin_segment(read_header(rest.first<header_bytes>(), max_segment));
      used += header_bytes;
    }
  }
  return used;
}

void Link::begin_segment(const Header& header) {
  check(header.sequence == received_segments_,
        "a segment of {} is missing: number {} instead of {}", peer(), header.sequence,
        received_segments_);
  ++received_segments_;
  check(header.checked || !checked_,
        "{} sends no checksums, but here ISTHMUS_CHECKSUM=1; set it for all participants", peer());
  if (header.kind == Kind::goodbye) {
    arrival_.reset(); // may come in the middle of a message
  }
  if (!arrival_) {
    begin_message(header);
  }
  check(arrival_->message.kind == header.kind && arrival_->total == header.total &&
            arrival_->done + header.length <= header.total,
        "{} sent a segment that does not continue its message of kind {}", peer(),
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

void Link::begin_message(const Header& header) {
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

void Link::deliver(std::span<const std::byte> piece) {
  if (segment_.checked) {
    segment_.checksum = crc32(piece, segment_.checksum);
  }
  if (const Incoming* sink = arrival_->sink) {
    sink->drain(sink->context, arrival_->done, piece);
  } else {
    auto& payload = arrival_->message.payload;
    payload.insert(payload.end(), piece.begin(), piece.end());
  }
  arrival_->done += piece.size();
  segment_.left -= piece.size();
  if (segment_.left == 0) {
    end_segment();
  }
}

void Link::end_segment() {
  check(segment_.checksum == segment_.expected || !segment_.checked,
        "a message of kind {} from {} was damaged on its way: checksum {:#x} instead of {:#x}",
        arrival_->message.kind, peer(), segment_.checksum, segment_.expected);
  if (arrival_->done == arrival_->total) {
    end_message();
  }
}

void Link::end_message() {
  ++traffic_.messages_in;
  traffic_.bytes_in += arrival_->total;
  if (arrival_->message.kind == Kind::goodbye) {
    receive_goodbye();
  } else if (arrival_->sink == nullptr) {
    if (const Incoming* sink = match(arrival_->message.kind)) { // posted since it began
      hand_over(arrival_->message.payload, *sink);
      spare_ = std::move(arrival_->message.payload);
    } else {
      inbox_.push_back(std::move(arrival_->message));
    }
  }
  arrival_.reset();
}

void Link::receive_goodbye() {
  const auto& payload = arrival_->message.payload;
  if (payload.empty()) {
    state_ = State::closed;
    epitaph_ = describe(peer()) + " has left the coupling";
  } else {
    state_ = State::broken;
    epitaph_ = fmt::format(
        "{}: {}", peer(),
        std::string_view(reinterpret_cast<const char*>(payload.data()), payload.size()));
  }
}

// Takes the first posted message of this kind off the list.
Incoming* Link::match(Kind kind) {
  for (Incoming** at = &incoming_; *at != nullptr; at = &(*at)->next) {
    if ((*at)->kind == kind) {
      return std::exchange(*at, (*at)->next);
    }
  }
  return nullptr;
}

void Link::hand_over(const std::vector<std::byte>& payload, const Incoming& sink) {
  sink.begin(sink.context, payload.size());
  if (!payload.empty()) {
    sink.drain(sink.context, 0, payload);
  }
}

} // namespace isthmus::transport
