// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/mpi_channel.hpp"

#include "handles.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/transport/hub.hpp"
#include "ranks.hpp"
#include "transport/field.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace isthmus;
using namespace isthmus::comm;
using namespace isthmus::transport;
using isthmus::transport::testing::Field;

namespace {

std::vector<double> values(int from, int to) {
  const auto n = static_cast<std::size_t>(1 + (from * 7919 + to * 104729) % 10000);
  std::vector<double> result(n);
  std::iota(result.begin(), result.end(), 1000.0 * from + to);
  return result;
}

std::vector<std::byte> bytes_of(const std::vector<double>& v) {
  const auto bytes = std::as_bytes(std::span(v));
  return {bytes.begin(), bytes.end()};
}

struct Part {
  std::vector<std::byte> out;
  std::vector<std::byte> in;
};

// Even ranks are participant A, odd ones B; each rank is linked to the next three of the other.
std::vector<int> partners(int rank, int size) {
  std::vector<int> result;
  for (const int distance : {1, 3, 5}) {
    for (const int partner : {(rank + distance) % size, (rank - distance + 5 * size) % size}) {
      const bool other = (partner + rank) % 2 == 1;
      if (other && std::find(result.begin(), result.end(), partner) == result.end()) {
        result.push_back(partner);
      }
    }
  }
  return result;
}

} // namespace

TEST_CASE("participants in one MPI job exchange control messages and steps" *
          on_even_ranks()) { // the ring of partners needs as many of A as of B
  const MayLeak kept;
  const Comm joint(MPI_COMM_WORLD);
  joint.keep(); // farewells that nobody receives would reach a communicator of the same number
  const int rank = joint.rank();
  const auto others = partners(rank, joint.size());
  transport::Hub hub;
  for (const int other : others) {
    hub.add(std::make_unique<transport::MpiChannel>(
        joint, other, transport::Peer{"other", other, "here", 0}, 8192));
  }
  for (transport::LinkId link = 0; link < hub.size(); ++link) {
    hub.send(link, transport::Kind::mesh_arrays,
             bytes_of(values(rank, others[static_cast<std::size_t>(link)])));
    hub.send(link, transport::Kind::read, {});
  }
  for (transport::LinkId link = 0; link < hub.size(); ++link) {
    CHECK(hub.receive(link, transport::Kind::read, 20).empty());
    CHECK(hub.receive(link, transport::Kind::mesh_arrays, 20) ==
          bytes_of(values(others[static_cast<std::size_t>(link)], rank)));
  }
  std::vector<Part> parts(others.size());
  std::vector<transport::Outgoing> outgoing;
  std::vector<transport::Incoming> incoming;
  for (std::size_t i = 0; i < others.size(); ++i) {
    parts[i].out = bytes_of(values(rank + 1, others[i]));
    outgoing.push_back({.link = static_cast<transport::LinkId>(i),
                        .bytes = parts[i].out.size(),
                        .context = &parts[i],
                        .fill = [](void* part, std::size_t offset, std::span<std::byte> piece) {
                          std::copy_n(static_cast<Part*>(part)->out.begin() +
                                          static_cast<std::ptrdiff_t>(offset),
                                      piece.size(), piece.begin());
                        }});
    incoming.push_back(
        {.link = static_cast<transport::LinkId>(i),
         .context = &parts[i],
         .begin = [](void* part, std::size_t n) { static_cast<Part*>(part)->in.resize(n); },
         .drain =
             [](void* part, std::size_t offset, std::span<const std::byte> piece) {
               std::copy(
                   piece.begin(), piece.end(),
                   static_cast<Part*>(part)->in.begin() + static_cast<std::ptrdiff_t>(offset));
             }});
  }
  for (int step = 0; step < 3; ++step) {
    hub.exchange(outgoing, incoming, 20);
    for (std::size_t i = 0; i < others.size(); ++i) {
      CHECK(parts[i].in == bytes_of(values(others[i] + 1, rank)));
      parts[i].in.clear();
    }
  }
  hub.close(20);
  joint
      .keep(); // the last messages of the channels may arrive later than a new communicator is made
}

TEST_CASE("a link that carries little takes little memory, one that carries much grows" *
          on_ranks(2)) {
  const MayLeak kept;
  const Comm joint(MPI_COMM_WORLD);
  joint.keep();
  if (joint.rank() > 1) {
    return;
  }
  constexpr std::size_t largest = std::size_t{1} << 16; // of a chunk
  transport::Hub hub;
  auto made = std::make_unique<transport::MpiChannel>(
      joint, 1 - joint.rank(), transport::Peer{"other", 1 - joint.rank(), "here", 0}, largest);
  const transport::MpiChannel& channel = *made;
  hub.add(std::move(made));
  const auto swap = [&hub](std::size_t count) {
    const auto sent = bytes_of(std::vector<double>(count, 1.5));
    hub.send(0, transport::Kind::mesh_arrays, sent);
    CHECK(hub.receive(0, transport::Kind::mesh_arrays, 20) == sent);
  };
  for (int step = 0; step < 20; ++step) {
    swap(50);
  }
  CHECK(channel.ends_with_mpi());
  CHECK(channel.bytes() < largest / 4); // of four chunks, where two messages share one, too
  for (int step = 0; step < 5; ++step) {
    swap(100000); // 800 kB
  }
  hub.flush(20);
  hub.progress();
  CHECK(channel.bytes() > 3 * largest);
  CHECK(channel.bytes() < 5 * largest);
  hub.close(20);
}

TEST_CASE("who has queued a message may wait for others of its participant before all of it left" *
          on_even_ranks()) {
  const MayLeak kept;
  const Comm joint(MPI_COMM_WORLD);
  joint.keep();
  const bool is_a = joint.rank() % 2 == 0; // linked with the next rank, which is of B
  const int other = joint.rank() + (is_a ? 1 : -1);
  Comm own = joint.split(is_a ? 0 : 1);
  transport::Hub hub;
  own.set_watch([&hub] { hub.progress(); }, 20);
  hub.add(std::make_unique<transport::MpiChannel>(
      joint, other, transport::Peer{"other", other, "here", 0}, 8192));
  const auto sent = bytes_of(std::vector<double>(40000, joint.rank())); // many chunks
  for (int step = 0; step < 3; ++step) {
    if (is_a) {
      hub.send(0, transport::Kind::mesh_arrays, sent);
      if (own.is_root()) { // the answer comes when all of B have what they wait for
        CHECK(hub.receive(0, transport::Kind::read, 20).empty());
      }
      barrier(own);
    } else {
      CHECK(hub.receive(0, transport::Kind::mesh_arrays, 20) ==
            bytes_of(std::vector<double>(40000, other)));
      barrier(own);
      if (own.is_root()) {
        hub.send(0, transport::Kind::read, {});
      }
    }
  }
  hub.close(20);
}

#ifndef ISTHMUS_SIMULATED // where nobody waits for farewells
TEST_CASE("who receives a farewell before it says its own is not waited for" * on_ranks(2)) {
  const MayLeak kept;
  const Comm joint(MPI_COMM_WORLD);
  if (joint.rank() > 1) {
    return;
  }
  transport::Hub hub;
  hub.add(std::make_unique<transport::MpiChannel>(
      joint, 1 - joint.rank(), transport::Peer{"other", 1 - joint.rank(), "here", 0}, 8192));
  if (joint.rank() == 1) {
    hub.await_goodbyes(20);
  }
  hub.close(20); // on rank 1 the link is closed already
  CHECK_NOTHROW(hub.await_goodbyes(20));
}

TEST_CASE("steps that a rank of the same job does not take are held for it" * on_ranks(2)) {
  const MayLeak kept;
  const Comm joint(MPI_COMM_WORLD);
  constexpr int steps = 9;
  constexpr std::size_t length = 50000; // 400 kB
  constexpr std::size_t bound = std::size_t{4} << 20;
  if (joint.rank() <= 1) {
    transport::Hub hub;
    hub.set_queue_limit(bound);
    hub.add(std::make_unique<transport::MpiChannel>(
        joint, 1 - joint.rank(), transport::Peer{"other", 1 - joint.rank(), "here", 0}));
    for (int step = 0; step < steps && joint.rank() == 0; ++step) {
      Field field{bytes_of(std::vector<double>(length, step)), {}};
      Outgoing outgoing[] = {field.outgoing(0)};
      hub.exchange(outgoing, {}, 20);
      hub.flush(20, true);
    }
    int through = steps; // the other has received nothing yet
    MPI_Sendrecv_replace(&through, 1, MPI_INT, 1 - joint.rank(), 5, 1 - joint.rank(), 5,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(hub.traffic().messages_in == 0);
    CHECK((joint.rank() == 0) == (hub.most_queued() > bound / 2));
    CHECK(hub.most_queued() <= bound);
    for (int step = 0; step < steps && joint.rank() == 1; ++step) {
      Field field;
      Incoming incoming[] = {field.incoming(0)};
      hub.exchange({}, incoming, 20);
      CHECK(field.in == bytes_of(std::vector<double>(length, step)));
    }
    hub.close(20);
    hub.await_goodbyes(20);
  }
}
#endif
