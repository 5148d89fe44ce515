// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/incoming_connection.hpp"

#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <algorithm>
#include <bit>

namespace isthmus::connect {

void IncomingConnection::listen() {
  try {
    if (const auto bytes = courier_.receive(transport::Kind::hello)) {
      hello_ = decode_hello(*bytes);
      stage_ = Stage::known;
    } else if (limit_.passed()) {
      stage_ = Stage::dropped;
    }
  } catch (const transport::VersionMismatch& mismatch) {
    refuse(mismatch.what());
    fail("somebody who knows this address refused: {}", mismatch.what());
  } catch (const Error&) {
    stage_ = Stage::dropped;
  }
}

void IncomingConnection::refuse(const std::string& reason) {
  courier_.send(transport::Kind::answer,
                encode(Answer{.refusal = reason, .segment = {}, .ring_capacity = 0}));
  stage_ = Stage::dropped;
}

void IncomingConnection::welcome(bool share, const comm::NetworkSettings& settings) {
  if (share) {
    const std::size_t capacity =
        std::clamp<std::size_t>(std::bit_floor(hello_.ring_capacity), 4096, settings.ring_capacity);
    const std::size_t spill =
        settings.queue_bytes == 0
            ? 0
            : std::max<std::size_t>(std::bit_ceil(settings.queue_bytes), 4096);
    segment_ = transport::SharedSegment::create(capacity, spill);
  }
  Answer answer;
  if (segment_) {
    answer.segment = segment_.name();
    answer.ring_capacity = segment_.ring_capacity();
  }
  courier_.send(transport::Kind::answer, encode(answer));
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
  const bool waits = stage_ == Stage::stranger || stage_ == Stage::welcomed;
  return {courier_.socket().descriptor(), waits ? courier_.events() : short{0}, 0};
}

} // namespace isthmus::connect
