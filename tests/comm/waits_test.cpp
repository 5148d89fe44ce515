// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/await.hpp"

#include "handles.hpp"
#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/mpi_end.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <vector>

using namespace isthmus;
using namespace isthmus::comm;

TEST_CASE("a wait ends when all messages are there, and names each") {
  const Comm world(MPI_COMM_WORLD);
  const int size = world.size();
  const int up = (world.rank() + 1) % size;
  const int down = (world.rank() + size - 1) % size;
  std::array<int, 2> incoming{};
  const std::array<int, 2> outgoing{10 * world.rank(), 10 * world.rank() + 1};
  std::array<MPI_Request, 4> requests{};
  MPI_Irecv(&incoming[0], 1, MPI_INT, down, tag_message, world.raw(), &requests[0]);
  MPI_Irecv(&incoming[1], 1, MPI_INT, down, tag_route, world.raw(), &requests[1]);
  MPI_Isend(&outgoing[1], 1, MPI_INT, up, tag_route, world.raw(), &requests[2]);
  MPI_Isend(&outgoing[0], 1, MPI_INT, up, tag_message, world.raw(), &requests[3]);
  std::array<MPI_Status, 4> statuses{};
  await(world, requests, statuses.data());
  CHECK(incoming == std::array<int, 2>{10 * down, 10 * down + 1});
  CHECK(statuses[0].MPI_SOURCE == down);
  CHECK(statuses[0].MPI_TAG == tag_message);
  CHECK(statuses[1].MPI_TAG == tag_route);
  for (const MPI_Request request : requests) {
    CHECK(request == MPI_REQUEST_NULL);
  }
  await(world, {}); // nothing to wait for
}

TEST_CASE("messages that are looked at go on, and are there in the end") {
  const Comm world(MPI_COMM_WORLD);
  const int up = (world.rank() + 1) % world.size();
  const int down = (world.rank() + world.size() - 1) % world.size();
  const std::vector<int> outgoing(100000, world.rank()); // more than MPI sends at once
  std::vector<int> incoming(outgoing.size());
  std::array<MPI_Request, 2> requests{};
  const auto count = static_cast<int>(outgoing.size());
  MPI_Irecv(incoming.data(), count, MPI_INT, down, tag_message, world.raw(), &requests[0]);
  MPI_Isend(outgoing.data(), count, MPI_INT, up, tag_message, world.raw(), &requests[1]);
#ifdef ISTHMUS_SIMULATED
  CHECK(!progress(requests));
#else
  while (!progress(requests)) {
  }
  CHECK(incoming.back() == down);
#endif
  await(world, requests);
  CHECK(incoming.front() == down);
}

TEST_CASE("a collective operation is waited for, and its buffers stay ours") {
  const Comm world(MPI_COMM_WORLD);
  auto sum = std::make_unique<int>(world.rank());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, sum.get(), 1, MPI_INT, MPI_SUM, world.raw(), &request);
  await_collective(world, request, sum);
  REQUIRE(sum != nullptr);
  CHECK(*sum == world.size() * (world.size() - 1) / 2);
}

#ifndef ISTHMUS_SIMULATED // whose ranks share a thread

TEST_CASE("the processor time of waits is added where it is asked for" * on_ranks(2, 64)) {
  Comm world(MPI_COMM_WORLD);
  double waited = 0;
  world.meter_waits(&waited);
  const double start = thread_time();
  bool is_waiting = false;
  double in_watch = 0;     // a part of the wait
  if (world.rank() == 1) { // what it waits for is sent when it says that it waits
    world.set_watch(
        [&] {
          if (!is_waiting) {
            is_waiting = true;
            const double began = thread_time();
            while (in_watch == 0) {
              in_watch = thread_time() - began;
            }
            MPI_Send(nullptr, 0, MPI_BYTE, 0, tag_message, world.raw());
          }
        },
        3600);
    int word = 0;
    receive(world, 0, tag_route, std::as_writable_bytes(std::span(&word, 1)));
    CHECK(word == 17);
    CHECK(is_waiting);
    CHECK(waited >= in_watch); // the whole has the part, however long they are
  } else if (world.is_root()) {
    receive(world, 1, tag_message, {});
    const int word = 17;
    MPI_Send(&word, 1, MPI_INT, 1, tag_route, world.raw());
  }
  CHECK(waited <= thread_time() - start);
  world.meter_waits(nullptr);
  const double before = waited;
  barrier(world);
  CHECK(waited == before);
}

#endif

TEST_CASE("messages of MPI are as long as its counts allow") {
  CHECK(most_bytes <= 2147483647);
  CHECK(most_bytes >= std::size_t{1} << 20);
}

#ifndef ISTHMUS_SIMULATED // nobody fails there
TEST_CASE("messages that never come are given up, whatever ends the wait" * on_ranks(2)) {
  Comm world(MPI_COMM_WORLD);
  if (world.is_root()) {
    int nothing = 0;
    const auto wait = [&world, &nothing] {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(&nothing, 1, MPI_INT, 1, tag_message, world.raw(), &request);
      await(world, std::span(&request, 1));
    };
    world.set_watch({}, 0.01);
    CHECK(message_of(wait) ==
          "rank 0 waited 0.01 s for other ranks of its participant: do all of them call the same "
          "functions, with the same communicator? ISTHMUS_PATIENCE sets the limit in seconds");
    int looks = 0;
    world.set_watch([&looks] { check(++looks < 3, "a partner crashed"); }, 60);
    CHECK(message_of(wait) == "a partner crashed");
    CHECK(looks == 3);
    CHECK(open_handles().requests == 0);
  }
}

TEST_CASE("a collective operation that was given up keeps its buffers and its communicator" *
          on_ranks(2)) {
  const MayLeak kept;
  static int* lost = nullptr; // MPI may still read it
  const int before = open_handles().communicators;
  {
    Comm world(MPI_COMM_WORLD);
    if (world.is_root()) {
      auto sum = std::make_unique<int>(1);
      lost = sum.get();
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(MPI_IN_PLACE, lost, 1, MPI_INT, MPI_SUM, world.raw(), &request);
      world.set_watch([] { throw Error("a partner crashed"); }, 60);
      CHECK_THROWS_WITH_AS(await_collective(world, request, sum), "a partner crashed", Error);
      CHECK(sum == nullptr);
      CHECK(*lost == 1);
    } else {
      world.keep(); // it is not part of that
    }
  }
  CHECK(open_handles().communicators == before + 1);
}

namespace {
int latest_key = MPI_KEYVAL_INVALID; // that was made in this program
} // namespace

extern "C" int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy,
                                      MPI_Comm_delete_attr_function* remove, int* key,
                                      void* extra) {
  const int code = PMPI_Comm_create_keyval(copy, remove, key, extra);
  latest_key = *key;
  return code;
}

namespace {

/// What MPI_Finalize() does first: it deletes the attributes of MPI_COMM_SELF.
void end_mpi(int key) {
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
}

/// Errors in calls for MPI_COMM_SELF are returned for a scope.
struct Lenient {
  Lenient() { MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); }
  ~Lenient() { MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL); }
};

} // namespace

TEST_CASE("the end of MPI is reported once, while MPI can still be used") {
  const Lenient lenient;
  int calls = 0;
  int others = 0;
  int finalized = -1;
  const MpiEnd other([&others] { ++others; });
  {
    const MpiEnd end([&] {
      ++calls;
      MPI_Finalized(&finalized);
    });
    CHECK(calls == 0);
    end_mpi(latest_key);
    CHECK(calls == 1);
    CHECK(finalized == 0);
  }
  CHECK(calls == 1);
  CHECK(others == 0);
}

TEST_CASE("who is gone before MPI ends is not called") {
  const Lenient lenient;
  int calls = 0;
  {
    const MpiEnd end([&calls] { ++calls; });
  }
  CHECK(calls == 0);
  int key = latest_key;
  CHECK(key == latest_key);
  void* value = nullptr;
  int found = 0;
  CHECK((MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &found) != MPI_SUCCESS || found == 0));
}
#endif
