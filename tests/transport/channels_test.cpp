// SPDX-License-Identifier: BSD-3-Clause
// Channels as streams of bytes, and what they are made of.
#include "isthmus/transport/channels/byte_ring.hpp"
#include "isthmus/transport/channels/chunk_memory.hpp"
#include "isthmus/transport/channels/shared_ring.hpp"
#include "isthmus/transport/channels/shared_segment.hpp"
#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"
#include "isthmus/transport/socket.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <poll.h>

#include <memory>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

const Peer somebody{"B", 0, "host", 1};

/// A connection within this process.
std::pair<Socket, Socket> connected() {
  const Socket listener = listen_at("127.0.0.1", 0);
  Socket caller = begin_connect("127.0.0.1", local_port(listener));
  pollfd waiting{listener.descriptor(), POLLIN, 0};
  ::poll(&waiting, 1, static_cast<int>(limit_s * 1e3));
  std::optional<Socket> called = accept_at(listener);
  REQUIRE(called.has_value());
  CHECK(connect_result(caller) == 0);
  return {std::move(caller), std::move(*called)};
}

using Ends = std::pair<std::unique_ptr<Channel>, std::unique_ptr<Channel>>;

Ends tcp_ends() {
  auto [one, other] = connected();
  return {std::make_unique<TcpChannel>(std::move(one), somebody, 1024),
          std::make_unique<TcpChannel>(std::move(other), somebody, 1024)};
}

Ends shm_ends() {
  SharedSegment mine = SharedSegment::create(4096);
  REQUIRE(mine);
  SharedSegment theirs = SharedSegment::open(mine.name(), 4096);
  REQUIRE(theirs);
  mine.unlink();
  auto [one, other] = connected();
  return {std::make_unique<ShmChannel>(std::move(mine), 0, std::move(one), somebody),
          std::make_unique<ShmChannel>(std::move(theirs), 1, std::move(other), somebody)};
}

/// Moves what it can of `bytes` from one end to the other, in units.
void stream(Channel& from, Channel& to, const std::vector<std::byte>& bytes,
            std::vector<std::byte>& arrived) {
  std::size_t sent = 0;
  while (arrived.size() < bytes.size()) {
    const auto space = from.writable();
    const std::size_t n = std::min(space.size(), bytes.size() - sent);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(sent), n, space.begin());
    from.commit(n);
    sent += n;
    from.progress();
    to.progress();
    const auto come = to.readable();
    arrived.insert(arrived.end(), come.begin(), come.end());
    to.consume(come.size());
  }
}

} // namespace

TEST_CASE("bytes pass a channel as they were written, many times its buffer, both ways") {
  for (const auto make : {&tcp_ends, &shm_ends}) {
    const auto [one, other] = make();
    CHECK(one->kind() == other->kind());
    CHECK_FALSE(one->ends_with_mpi());
    for (const auto& [from, to] :
         {std::pair(one.get(), other.get()), std::pair(other.get(), one.get())}) {
      const auto bytes = numbered(100 * 1024, 7);
      std::vector<std::byte> arrived;
      stream(*from, *to, bytes, arrived);
      CHECK(arrived == bytes);
      CHECK(from->flushed());
    }
  }
}

TEST_CASE("a ring of shared memory that the other side damages is an error") {
  SharedSegment segment = SharedSegment::create(4096);
  REQUIRE(segment);
  SharedRingWriter writer(segment.ring(0), 4096, segment.positions(0), somebody);
  SharedRingReader reader(segment.ring(0), 4096, segment.positions(0), somebody);
  CHECK_FALSE(reader.has_content());
  while (!writer.space().empty()) {
    writer.append(stream_unit);
  }
  CHECK(reader.has_content());
  CHECK_FALSE(writer.has_new_space());
  while (!reader.content().empty()) {
    reader.remove(stream_unit);
  }
  CHECK(writer.has_new_space());
  segment.positions(0).head.store(1U << 20);
  CHECK(contains(error_of([&] { (void)reader.has_content(); }), "damaged the shared memory"));
  segment.positions(0).tail.store(1U << 20);
  CHECK(contains(error_of([&] { (void)writer.has_new_space(); }), "damaged the shared memory"));
}

TEST_CASE("a ring of bytes is first in, first out") {
  ByteRing ring(128);
  const auto bytes = numbered(1000, 8);
  std::vector<std::byte> out;
  for (std::size_t in = 0; out.size() < bytes.size();) {
    const auto space = ring.space();
    const std::size_t n = std::min({space.size(), bytes.size() - in, std::size_t{48}});
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(in), n, space.begin());
    ring.append(n);
    in += n;
    CHECK(ring.size() + ring.free() == ring.capacity());
    const auto content = ring.content();
    const std::size_t m = std::min(content.size(), std::size_t{40});
    out.insert(out.end(), content.begin(), content.begin() + static_cast<std::ptrdiff_t>(m));
    ring.remove(m);
  }
  CHECK(out == bytes);
}

TEST_CASE("a ring of bytes that is resized keeps its content and its place within a unit") {
  ByteRing ring(128);
  const auto bytes = numbered(100, 9);
  std::copy_n(bytes.begin(), 96, ring.space().begin());
  ring.append(96);
  ring.remove(40); // 56 are left
  for (const std::size_t capacity : {256U, 64U}) {
    ring.resize(capacity);
    CHECK(ring.capacity() == capacity);
    CHECK(ring.size() == 56);
    CHECK(std::equal(ring.content().begin(), ring.content().end(), bytes.begin() + 40));
  }
}

TEST_CASE("a chunk keeps its size beside its content, and grows") {
  ChunkMemory chunk(64);
  chunk.set_size(10);
  std::fill_n(chunk.content(), chunk.capacity(), std::byte{7});
  CHECK(chunk.size() == 10);
  CHECK(std::count(chunk.content(), chunk.content() + chunk.capacity(), std::byte{7}) == 64);
  const std::byte* const before = chunk.data();
  chunk.grow(64);
  CHECK(chunk.data() == before);
  chunk.grow(128);
  CHECK(chunk.capacity() == 128);
  CHECK(chunk.bytes() == 136);
}

TEST_CASE("the next chunk but one is twice as large where one was full, up to the largest") {
  const ChunkSizes sizes{{64, 128}, 160, 1};
  CHECK(sizes.next() == 128);
  CHECK(sizes.after(63, 64) == 64);
  CHECK(sizes.after(64, 64) == 128);
  CHECK(sizes.after(128, 128) == 160);
}
