// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/incoming_connection.hpp"

#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <algorithm>
#include <bit>

namespace isthmus::connect {

namespace {

constexpr double silent_limit_s = 5;
constexpr double stranger_limit_s = 60; // a caller may be stopped before it shows its proof

} // namespace

void IncomingConnection::listen(const Token& token) {
  try {
    while ((stage_ == Stage::stranger && take_greeting(token)) ||
           (stage_ == Stage::greeted && take_proof()) ||
           (stage_ == Stage::proved && take_hello())) {
    }
    if (is_strange() && age() > (is_silent() ? silent_limit_s : stranger_limit_s)) {
      stage_ = Stage::dropped;
    }
  } catch (const transport::VersionMismatch& mismatch) {
    refuse(
        mismatch.what()); // no error here: anybody may say so; a partner fails, and we learn of it
  } catch (const Error&) {
    stage_ = Stage::dropped;
  }
}

bool IncomingConnection::take_greeting(const Token& token) {
  const auto bytes = courier_.receive(transport::Kind::greeting, sizeof(Nonce));
  if (bytes) {
    const Nonce own = make_nonce();
    sealer_.emplace(token, nonce_from(*bytes), own);
    courier_.send(transport::Kind::challenge, own);
    stage_ = Stage::greeted;
  }
  return bytes.has_value();
}

bool IncomingConnection::take_proof() {
  const auto bytes = courier_.receive(transport::Kind::proof, Sealer::seal_bytes);
  if (bytes && !sealer_->open(transport::Kind::proof, *bytes)) {
    refuse(std::string(wrong_token));
  } else if (bytes) {
    stage_ = Stage::proved;
  }
  return bytes.has_value();
}

bool IncomingConnection::take_hello() {
  const auto bytes = courier_.receive(transport::Kind::hello);
  if (bytes) {
    const auto hello = sealer_->open(transport::Kind::hello, *bytes);
    check(hello.has_value(), "somebody has changed a hello on its way");
    hello_ = decode_hello(*hello);
    stage_ = Stage::known;
  }
  return bytes.has_value();
}

/// Without a seal to those with which there is none.
void IncomingConnection::answer(const Answer& answer) {
  std::vector<std::byte> bytes = encode(answer);
  courier_.send(transport::Kind::answer,
                sealer_ ? sealer_->seal(transport::Kind::answer, std::move(bytes)) : bytes);
}

void IncomingConnection::refuse(const std::string& reason) {
  answer({.refusal = reason, .segment = {}, .ring_capacity = 0});
  stage_ = Stage::dropped;
}

void IncomingConnection::welcome(bool share, const NetworkSettings& settings) {
  if (share) {
    const std::size_t capacity =
        std::clamp<std::size_t>(std::bit_floor(hello_.ring_capacity), 4096, settings.ring_capacity);
    const std::size_t spill =
        settings.queue_bytes == 0
            ? 0
            : std::max<std::size_t>(std::bit_ceil(settings.queue_bytes), 4096);
    segment_ = transport::SharedSegment::create(capacity, spill);
  }
  Answer yes;
  if (segment_) {
    yes.segment = segment_.name();
    yes.ring_capacity = segment_.ring_capacity();
  }
  answer(yes);
  stage_ = Stage::welcomed;
}

std::unique_ptr<transport::Channel> IncomingConnection::conclude() {
  const transport::Peer peer = peer_of(hello_);
  try {
    if (!courier_.push()) {
      return nullptr;
    }
    if (!segment_) {
      return std::make_unique<transport::TcpChannel>(courier_.take_socket(), peer);
    }
    const auto bytes = courier_.receive(transport::Kind::confirmation);
    if (!bytes) {
      return nullptr;
    }
    segment_.unlink();
    if (bytes->size() == 1 && bytes->front() == std::byte{1}) {
      return std::make_unique<transport::ShmChannel>(std::move(segment_), 0, courier_.take_socket(),
                                                     peer);
    }
    return std::make_unique<transport::TcpChannel>(courier_.take_socket(), peer);
  } catch (const transport::PeerLost&) {
    throw transport::PeerLost(transport::describe(peer) + " ended while the connection was made");
  }
}

pollfd IncomingConnection::poll() const {
  const bool waits = is_strange() || stage_ == Stage::proved || stage_ == Stage::welcomed;
  return {courier_.socket().descriptor(), waits ? courier_.events() : short{0}, 0};
}

} // namespace isthmus::connect
