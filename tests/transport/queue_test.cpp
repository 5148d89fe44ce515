// SPDX-License-Identifier: BSD-3-Clause
// Steps that a peer does not take are held for it, up to a bound.
#include "isthmus/transport/channels/shared_segment.hpp"
#include "isthmus/transport/channels/spilling_ring.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;
using isthmus::connect::NetworkSettings;

namespace {

constexpr std::size_t step_bytes = 700001;
constexpr std::size_t bound = std::size_t{4} << 20;

void send_step(Hub& hub, unsigned step, double timeout_s = limit_s) {
  Field field{numbered(step_bytes, step), {}};
  Outgoing outgoing[] = {field.outgoing(0)};
  hub.exchange(outgoing, {}, timeout_s);
  hub.flush(timeout_s, true);
}

void receive_step(Hub& hub, unsigned step) {
  Field field;
  Incoming incoming[] = {field.incoming(0)};
  hub.exchange({}, incoming, limit_s);
  CHECK(field.in == numbered(step_bytes, step));
}

/// Sends until it had to wait for the peer; how many steps it was done with.
unsigned send_many(Hub& hub) {
  constexpr double moment_s = 0.2;
  unsigned sent = 0;
  const std::string said = error_of([&hub, &sent] {
    for (;; ++sent) {
      send_step(hub, sent, moment_s);
    }
  });
  CHECK(contains(said, "nothing of kind data could be exchanged with it"));
  return sent;
}

/// How much of what is mapped there is in the memory of the computer.
std::size_t bytes_in_memory(std::byte* begin, std::size_t bytes) {
  constexpr std::size_t page_bytes = 4096;
  std::vector<unsigned char> pages(bytes / page_bytes);
  REQUIRE(mincore(begin, bytes, pages.data()) == 0);
  return page_bytes * static_cast<std::size_t>(std::count_if(
                          pages.begin(), pages.end(), [](unsigned char page) { return page & 1; }));
}

/// Writes what has room, never more than `most`; the numbers of units go on from `next`.
void write_units(SpillingWriter& writer, std::size_t most, std::uint32_t& next) {
  while (most > 0) {
    const auto space = writer.space();
    const std::size_t units = std::min(space.size() / stream_unit, most);
    for (std::size_t i = 0; i < units; ++i) {
      std::memcpy(space.data() + i * stream_unit, &next, sizeof next);
      ++next;
    }
    writer.append(units * stream_unit);
    most = units == 0 ? 0 : most - units;
  }
}

bool read_units(SpillingReader& reader, std::size_t most, std::uint32_t& next) {
  bool in_order = true;
  while (most > 0) {
    const auto content = reader.content();
    const std::size_t units = std::min(content.size() / stream_unit, most);
    for (std::size_t i = 0; i < units; ++i) {
      std::uint32_t number = 0;
      std::memcpy(&number, content.data() + i * stream_unit, sizeof number);
      in_order &= number == next++;
    }
    reader.remove(units * stream_unit);
    most = units == 0 ? 0 : most - units;
  }
  return in_order;
}

} // namespace

TEST_CASE(
    "who sends steps that nobody takes is done with each, up to the bound, and none is lost") {
  for (const auto transport : transports) {
    for (const bool checked : {false, true}) {
      Pair pair(transport, checked);
      pair.a.set_queue_limit(bound);
      const unsigned sent = send_many(pair.a);
      CHECK(sent >= bound / step_bytes);
      if (transport == NetworkSettings::shm) { // that holds a ring by itself
        CHECK(sent <= (bound + (1U << 20)) / step_bytes);
      }
      CHECK(pair.a.most_queued() <= bound);
      CHECK(pair.a.most_queued() > bound - 2 * step_bytes);
      const Said said = both([&pair] { pair.a.abort("that is all"); },
                             [&pair, sent] {
                               for (unsigned step = 0; step < sent; ++step) {
                                 receive_step(pair.b, step);
                               }
                               Field field;
                               Incoming incoming[] = {field.incoming(0)};
                               pair.b.exchange({}, incoming, limit_s);
                             });
      CHECK(said.one == "");
      CHECK(contains(said.other, "that is all"));
    }
  }
}

TEST_CASE("without a bound a sender waits for its peer") {
  Pair pair(NetworkSettings::shm);
  pair.a.set_queue_limit(0);
  CHECK(send_many(pair.a) == 1); // a ring holds one
  CHECK(pair.a.most_queued() == 0);
}

TEST_CASE("a sender that has ended leaves its steps in shared memory, and why it ended") {
  Pair pair(NetworkSettings::shm);
  pair.a.set_queue_limit(bound);
  const unsigned sent = send_many(pair.a);
  pair.a.abort("no licence");
  pair.a.clear();
  for (unsigned step = 0; step < sent; ++step) {
    receive_step(pair.b, step);
  }
  CHECK(contains(error_of([&pair] { receive_step(pair.b, 0); }), "no licence"));
}

TEST_CASE("what is held at the end is taken before the goodbye, and goes on after a wait") {
  constexpr unsigned steps = 5;
  for (const auto transport : transports) {
    Pair pair(transport);
    pair.a.set_queue_limit(bound);
    for (int round = 0; round < 3; ++round) { // the queue is empty again after each
      for (unsigned step = 0; step < steps; ++step) {
        send_step(pair.a, step);
      }
      const bool ends = round == 2;
      const Said said = both(
          [&pair, ends] {
            if (ends) {
              pair.a.close(limit_s);
            } else {
              static_cast<void>(pair.a.receive(0, Kind::control, limit_s));
            }
          },
          [&pair, ends] {
            for (unsigned step = 0; step < steps; ++step) {
              receive_step(pair.b, step);
            }
            if (!ends) {
              pair.b.send(0, Kind::control, {});
              pair.b.flush(limit_s);
            }
          });
      CHECK(said.one == "");
      CHECK(said.other == "");
      CHECK(pair.a.most_queued() <= bound);
    }
    CHECK(contains(error_of([&pair] { receive_step(pair.b, 0); }), "has left the coupling"));
  }
}

TEST_CASE("who holds steps for a peer that fails learns why") {
  for (const auto transport : transports) {
    Pair pair(transport);
    pair.a.set_queue_limit(bound);
    for (unsigned step = 0; step < 5; ++step) {
      send_step(pair.a, step);
    }
    pair.b.abort("out of memory");
    pair.b.clear();
    const std::string said = error_of([&pair] {
      for (unsigned step = 0; step < 100; ++step) {
        send_step(pair.a, step);
      }
    });
    CHECK(contains(said, "out of memory"));
  }
}

TEST_CASE("what goes through a ring and its spill stays in order, whoever is faster") {
  constexpr std::size_t ring = 4096;
  constexpr std::size_t spill = 65536;
  const Peer somebody{"B", 0, "host", 1};
  SharedSegment segment = SharedSegment::create(ring, spill);
  REQUIRE(segment);
  SharedSegment same = SharedSegment::open(segment.name(), ring);
  REQUIRE(same);
  CHECK(same.spill_capacity() == spill);
  SpillingWriter writer(segment, 0, somebody);
  SpillingReader reader(same, 0, somebody);
  std::mt19937 random(7);
  const auto up_to = [&random](std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random);
  };
  std::uint32_t written = 0;
  std::uint32_t read = 0;
  bool in_order = true;
  std::size_t most_held = 0;
  for (int round = 0; round < 20000; ++round) {
    const bool widens = up_to(3) == 0;
    if (widens) {
      writer.widen(up_to(spill / stream_unit) * stream_unit);
    }
    write_units(writer, up_to(1600), written);
    writer.widen(0);
    most_held = std::max(most_held, writer.held());
    in_order &= read_units(reader, up_to(round % 100 == 0 ? 5000 : 1200), read);
  }
  in_order &= read_units(reader, 5000, read);
  CHECK(in_order);
  CHECK(read == written);
  CHECK(most_held > spill / 2);
  CHECK(most_held <= spill - segment.spill_piece());
  CHECK(writer.held() == 0);
  CHECK_FALSE(reader.has_content());
}

TEST_CASE("what is read from a spill gives its memory back while there is more") {
  constexpr std::size_t ring = 4096;
  constexpr std::size_t spill = std::size_t{1} << 20;
  const Peer somebody{"B", 0, "host", 1};
  SharedSegment segment = SharedSegment::create(ring, spill);
  REQUIRE(segment);
  SharedSegment same = SharedSegment::open(segment.name(), ring);
  REQUIRE(same);
  SpillingWriter writer(segment, 0, somebody);
  SpillingReader reader(same, 0, somebody);
  std::uint32_t written = 0;
  std::uint32_t read = 0;
  for (int round = 0; round < 3; ++round) { // the last ones go over the end of the spill
    writer.widen(spill);
    write_units(writer, spill / stream_unit, written);
    writer.widen(0);
    const std::size_t held = writer.held();
    CHECK(held > spill / 2);
    CHECK(bytes_in_memory(segment.spill(0), spill) >= held);
    std::size_t left = held;
    while (left > spill / 4) {
      CHECK(read_units(reader, spill / 64 / stream_unit, read));
      left = writer.held();
      CHECK(bytes_in_memory(segment.spill(0), spill) <= left + 2 * segment.spill_piece());
    }
  }
}
