// SPDX-License-Identifier: BSD-3-Clause
#include "pair.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <span>

using namespace isthmus::comm;
using isthmus::comm::testing::both;
using isthmus::comm::testing::Pair;

namespace {

Outgoing outgoing(double& value) {
  return {.bytes = sizeof(double),
          .context = &value,
          .fill = [](void* context, std::size_t offset, std::span<std::byte> piece) {
            std::memcpy(piece.data(), static_cast<std::byte*>(context) + offset, piece.size());
          }};
}

Incoming incoming(double& value) {
  return {.context = &value,
          .begin = [](void*, std::size_t) {},
          .drain =
              [](void* context, std::size_t offset, std::span<const std::byte> piece) {
                std::memcpy(static_cast<std::byte*>(context) + offset, piece.data(), piece.size());
              }};
}

} // namespace

TEST_CASE("steps that a peer sent before it left are received after it left") {
  for (const auto transport : {NetworkSettings::tcp, NetworkSettings::shm}) {
    Pair pair(transport);
    const auto sender = [&pair]() {
      for (double value = 1; value <= 3; ++value) {
        Outgoing message = outgoing(value);
        message.link = 0;
        pair.a.exchange(std::span(&message, 1), {}, 5);
      }
      pair.a.close(5);
    };
    const auto receiver = [&pair]() {
      const isthmus::Deadline deadline(5);
      while (pair.b.traffic().messages_in < 4 && !deadline.passed()) { // the goodbye is the fourth
        pair.b.progress();
      }
      double value = 0;
      for (const double expected : {1.0, 2.0, 3.0}) {
        Incoming message = incoming(value);
        message.link = 0;
        pair.b.exchange({}, std::span(&message, 1), 5);
        CHECK(value == expected);
      }
      Incoming message = incoming(value);
      message.link = 0;
      CHECK_THROWS_AS(pair.b.exchange({}, std::span(&message, 1), 5), PeerLost);
    };
    both(sender, receiver);
  }
}
