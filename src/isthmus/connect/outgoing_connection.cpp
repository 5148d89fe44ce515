// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/outgoing_connection.hpp"

#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace isthmus::connect {

namespace {

constexpr double longest_reach_s = 30; // a network answers sooner, or never

} // namespace

OutgoingConnection::OutgoingConnection(Target target, Hello hello,
                                       const comm::NetworkSettings& settings)
    : target_(std::move(target)),
      hello_(std::move(hello)),
      peer_{target_.participant, target_.rank, target_.address.host, target_.address.pid},
      reach_(std::min(settings.timeout_s, longest_reach_s)),
      courier_(transport::begin_connect(target_.address.ip, target_.address.port)) {}

std::unique_ptr<transport::Channel> OutgoingConnection::advance() {
  if (!said_hello_ && !connected()) {
    return nullptr;
  }
  try {
    if (!said_hello_) {
      courier_.send(transport::Kind::hello, encode(hello_));
      said_hello_ = true;
    }
    courier_.push();
    const auto bytes = courier_.receive(transport::Kind::answer);
    return bytes ? conclude(decode_answer(*bytes)) : nullptr;
  } catch (const transport::PeerLost&) {
    throw transport::PeerLost(transport::describe(peer_) +
                              " ended before it accepted the connection");
  } catch (const transport::Outdated& outdated) {
    throw transport::Outdated(fmt::format("cannot connect to {}: {}", peer_, outdated.what()));
  } catch (const Error& error) {
    fail("cannot connect to {}: {}", peer_, error.what());
  }
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
    throw transport::PeerLost(fmt::format("cannot connect to {}: {} port {}: {}; has it ended?",
                                          peer_, target_.address.ip, target_.address.port,
                                          std::strerror(error)));
  }
  return true;
}

std::unique_ptr<transport::Channel> OutgoingConnection::conclude(const Answer& answer) {
  if (answer.refusal == wrong_token) {
    throw transport::Outdated("it refused: " + answer.refusal);
  }
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
          static_cast<short>(said_hello_ ? courier_.events() : POLLOUT), 0};
}

} // namespace isthmus::connect
