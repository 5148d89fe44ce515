// SPDX-License-Identifier: BSD-3-Clause
#include "channels/pair.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace isthmus;
using namespace isthmus::comm;
using isthmus::comm::testing::both;
using isthmus::comm::testing::Pair;

namespace {

std::vector<std::byte> numbered(std::size_t n, unsigned seed) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761U + seed) >> 7);
  }
  return bytes;
}

// One end of a step: what is sent and what has come.
struct Field {
  std::vector<std::byte> out;
  std::vector<std::byte> in;
  bool aligned = true;

  Outgoing outgoing(LinkId link, Kind kind = Kind::data) {
    return {.link = link,
            .kind = kind,
            .bytes = out.size(),
            .context = this,
            .fill = [](void* self, std::size_t offset, std::span<std::byte> piece) {
              auto& field = *static_cast<Field*>(self);
              field.aligned &= offset % 8 == 0;
              std::copy_n(field.out.begin() + static_cast<std::ptrdiff_t>(offset), piece.size(),
                          piece.begin());
            }};
  }
  Incoming incoming(LinkId link, Kind kind = Kind::data) {
    return {
        .link = link,
        .kind = kind,
        .context = this,
        .begin = [](void* self, std::size_t bytes) { static_cast<Field*>(self)->in.resize(bytes); },
        .drain =
            [](void* self, std::size_t offset, std::span<const std::byte> piece) {
              auto& field = *static_cast<Field*>(self);
              field.aligned &= offset % 8 == 0;
              std::copy(piece.begin(), piece.end(),
                        field.in.begin() + static_cast<std::ptrdiff_t>(offset));
            }};
  }
};

constexpr NetworkSettings::Transport transports[] = {NetworkSettings::tcp, NetworkSettings::shm};

} // namespace

TEST_CASE("messages of all sizes pass both ways at once, kinds in any order") {
  for (const auto transport : transports) {
    Pair pair;
    testing::link(pair, transport);
    CHECK(pair.a.transport(0) == (transport == NetworkSettings::tcp ? "tcp" : "shm"));
    const std::size_t sizes[] = {0, 1, 7, 8, 9, 31, 32, 33, 4096, 262143, 262144, 5000001};
    const auto side = [&sizes](Hub& hub, unsigned mine, unsigned other) {
      for (const std::size_t size : sizes) {
        hub.send(0, Kind::mesh, numbered(size, mine));
        hub.send(0, Kind::plan, numbered(size + 1, mine));
      }
      for (const std::size_t size : sizes) {
        CHECK(hub.receive(0, Kind::plan, 5) == numbered(size + 1, other));
      }
      for (const std::size_t size : sizes) {
        CHECK(hub.receive(0, Kind::mesh, 5) == numbered(size, other));
      }
      hub.flush(5);
    };
    both([&]() { side(pair.a, 1, 2); }, [&]() { side(pair.b, 2, 1); });
    CHECK(pair.a.traffic().messages_in == 24);
    CHECK(pair.a.traffic().bytes_in == pair.b.traffic().bytes_out);
  }
}

TEST_CASE("a step moves messages in place") {
  for (const auto transport : transports) {
    for (const std::size_t size : {0U, 5U, 8U, 1000U, 300003U, 8000000U}) {
      Pair pair;
      testing::link(pair, transport);
      const auto side = [size](Hub& hub, unsigned mine, unsigned other) {
        Field one{numbered(size, mine), {}};
        Field two{numbered(size + 3, mine), {}};
        for (int step = 0; step < 3; ++step) {
          Outgoing outgoing[] = {one.outgoing(0), two.outgoing(0, Kind::mesh)};
          Incoming incoming[] = {two.incoming(0, Kind::mesh), one.incoming(0)};
          hub.exchange(outgoing, incoming, 5);
        }
        CHECK(one.in == numbered(size, other));
        CHECK(two.in == numbered(size + 3, other));
        CHECK(one.aligned);
      };
      both([&]() { side(pair.a, 1, 2); }, [&]() { side(pair.b, 2, 1); });
    }
  }
}
