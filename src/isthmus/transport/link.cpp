// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace isthmus::transport {

Link::Link(std::unique_ptr<Channel> channel, bool checked)
    : channel_(std::move(channel)), outbox_(checked), inbox_(channel_->peer(), checked) {}

void Link::send(Kind kind, std::vector<std::byte> payload) {
  if (state_ == State::open) {
    outbox_.queue(kind, std::move(payload));
  }
}

void Link::post(Outgoing& message) {
  if (state_ == State::open || !inbox_.has_unexpected()) {
    outbox_.post(message);
  }
}

void Link::withdraw() {
  outbox_.withdraw();
  inbox_.withdraw();
}

void Link::say_goodbye(std::string_view reason) {
  constexpr std::size_t max_reason = 2048; // bytes, fits in any segment
  if (state_ != State::open) {
    channel_->finish();
    return;
  }
  const auto text = std::as_bytes(std::span(reason.substr(0, max_reason)));
  send(Kind::goodbye, {text.begin(), text.end()});
}

void Link::clear() {
  withdraw();
  outbox_.clear_queue();
}

bool Link::pump(bool greedy) {
  if (state_ != State::open) {
    return end_channel();
  }
  bool moved = outbox_.write(*channel_);
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

bool Link::hold(std::size_t room) {
  const std::size_t needed = std::min(room / header_bytes * header_bytes, outbox_.left());
  if (needed == 0) {
    return false;
  }
  channel_->widen(needed);
  const bool moved = pump(false);
  channel_->widen(0);
  return moved;
}

/// Of a peer that has said goodbye, and may wait for the end of this side.
bool Link::end_channel() {
  if (state_ == State::broken || channel_->flushed()) {
    return false;
  }
  try {
    channel_->progress();
  } catch (const PeerLost&) {
    return false; // nobody waits any more
  }
  return channel_->flushed();
}

bool Link::read(bool greedy) {
  const bool moved = inbox_.read(*channel_, greedy);
  if (const auto& reason = inbox_.goodbye()) {
    state_ = reason->empty() ? State::closed : State::broken;
    epitaph_ = reason->empty() ? describe(peer()) + " has left the coupling"
                               : fmt::format("{}: {}", peer(), *reason);
  }
  return moved;
}

LinkTraffic Link::traffic() const {
  return {outbox_.traffic().messages, inbox_.traffic().messages, outbox_.traffic().bytes,
          inbox_.traffic().bytes};
}

} // namespace isthmus::transport
