// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/outgoing_connection.hpp"

#include "isthmus/connect/address.hpp"
#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace isthmus::connect {

namespace {

constexpr double longest_reach_s = 30; // a network answers sooner, or never

transport::Socket begin_call(const Target& target, const transport::Peer& peer) {
  try {
    return transport::begin_connect(target.address.ip, target.address.port);
  } catch (const Error& error) { // no way leads there
    fail("cannot connect to {}: {}; check network=\"…\"", peer, error.what());
  }
}

} // namespace

OutgoingConnection::OutgoingConnection(Target target, Hello hello, const Token& token,
                                       const NetworkSettings& settings)
    : target_(std::move(target)),
      hello_(std::move(hello)),
      peer_{target_.participant, target_.rank, target_.address.host, target_.address.pid},
      reach_(std::min(settings.timeout_s, longest_reach_s)),
      courier_(begin_call(target_, peer_)),
      token_(token) {}

std::unique_ptr<transport::Channel> OutgoingConnection::advance() {
  if (!greeted_ && !connected()) {
    return nullptr;
  }
  try {
    if (!greeted_) {
      courier_.send(transport::Kind::greeting, nonce_);
      greeted_ = true;
    }
    if (!sealer_ && !take_challenge()) {
      return nullptr;
    }
    courier_.push();
    const auto bytes = courier_.receive(transport::Kind::answer);
    return bytes ? conclude(open(*bytes)) : nullptr;
  } catch (const transport::PeerLost&) {
    throw transport::PeerLost(transport::describe(peer_) +
                              " ended before it accepted the connection");
  } catch (const transport::Outdated& outdated) {
    throw transport::Outdated(fmt::format("cannot connect to {}: {}", peer_, outdated.what()));
  } catch (const Error& error) {
    fail("cannot connect to {}: {}", peer_, error.what());
  }
}

/// The hello need not wait: who is called reads the proof first.
bool OutgoingConnection::take_challenge() {
  const auto bytes = courier_.receive(transport::Kind::challenge, sizeof(Nonce));
  if (!bytes) {
    return false;
  }
  sealer_.emplace(token_, nonce_, nonce_from(*bytes));
  courier_.send(transport::Kind::proof, sealer_->seal(transport::Kind::proof, {}));
  courier_.send(transport::Kind::hello, sealer_->seal(transport::Kind::hello, encode(hello_)));
  return true;
}

Answer OutgoingConnection::open(std::span<const std::byte> sealed) const {
  const auto bytes = sealer_->open(transport::Kind::answer, sealed);
  if (!bytes) {
    throw transport::Outdated("it refused: " + std::string(wrong_token));
  }
  return decode_answer(*bytes);
}

bool OutgoingConnection::connected() {
  pollfd wait{courier_.socket().descriptor(), POLLOUT, 0};
  if (::poll(&wait, 1, 0) == 0) {
    check(
        !reach_.passed(),
        "cannot connect to {}: no answer from {} port {} within {} s; check network=\"…\" and the "
        "firewall",
        peer_, target_.address.ip, target_.address.port, reach_.limit());
    return false;
  }
  const int error = transport::connect_result(courier_.socket());
  if (error != 0) {
    throw transport::PeerLost(
        fmt::format("cannot connect to {}: {} port {}: {}; has it ended?{}", peer_,
                    target_.address.ip, target_.address.port, std::strerror(error),
                    is_loopback(target_.address.ip)
                        ? " If it runs in another container, set network=\"…\" of <m2n:…>"
                        : ""));
  }
  return true;
}

std::unique_ptr<transport::Channel> OutgoingConnection::conclude(const Answer& answer) {
  check(answer.refusal.empty(), "it refused: {}", answer.refusal);
  if (answer.segment.empty()) {
    return std::make_unique<transport::TcpChannel>(courier_.take_socket(), peer_);
  }
  auto segment = transport::SharedSegment::open(answer.segment, answer.ring_capacity);
  const std::byte mapped{static_cast<unsigned char>(segment ? 1 : 0)};
  courier_.send(transport::Kind::confirmation, std::span(&mapped, 1));
  if (!segment) {
    return std::make_unique<transport::TcpChannel>(courier_.take_socket(), peer_);
  }
  return std::make_unique<transport::ShmChannel>(std::move(segment), 1, courier_.take_socket(),
                                                 peer_);
}

pollfd OutgoingConnection::poll() const {
  return {courier_.socket().descriptor(),
          static_cast<short>(greeted_ ? courier_.events() : POLLOUT), 0};
}

} // namespace isthmus::connect
