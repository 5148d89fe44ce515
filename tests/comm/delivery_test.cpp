// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/delivery.hpp"

#include "comm/parcels.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <random>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

constexpr Discovery ways[] = {Discovery::all_to_all, Discovery::put_fence, Discovery::put_passive,
                              Discovery::consensus,  Discovery::routed,    Discovery::remembered,
                              Discovery::automatic};

/// Counts what is left over.
class Leftovers {
 public:
  ~Leftovers() { CHECK(open_handles() == before_); }

 private:
  Handles before_ = open_handles();
};

/// Random pattern of the round: 0 = no parcel, else 1 + length. Every rank knows only its own row.
std::vector<int> row(const Comm& comm, int round, int largest) {
  std::mt19937 random(static_cast<unsigned>(1000 * round + comm.rank()));
  std::vector<int> lengths(static_cast<std::size_t>(comm.size()));
  const unsigned sparsity = round % 4 == 3 ? 1 : 3; // every fourth round all send to all
  for (int& length : lengths) {
    length = random() % sparsity == 0
                 ? 1 + static_cast<int>(random() % static_cast<unsigned>(largest))
                 : 0;
  }
  return lengths;
}

void check_round(const Comm& comm, Delivery& delivery, int round, int largest) {
  const std::vector<int> lengths = row(comm, round, largest);
  std::vector<Parcel> outgoing;
  for (int to = comm.size() - 1; to >= 0; --to) {
    if (const int length = lengths[static_cast<std::size_t>(to)]; length > 0) {
      outgoing.push_back(
          {to, content(comm.rank(), to, round, static_cast<std::size_t>(length - 1))});
    }
  }
  const std::vector<Parcel> incoming = delivery.exchange(std::move(outgoing));

  std::vector<int> expected(lengths.size());
  MPI_Alltoall(lengths.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, comm.raw());
  auto next = incoming.begin();
  for (int from = 0; from < comm.size(); ++from) {
    if (const int length = expected[static_cast<std::size_t>(from)]; length > 0) {
      REQUIRE(next != incoming.end());
      CHECK(next->rank == from);
      CHECK(next->bytes == content(from, comm.rank(), round, static_cast<std::size_t>(length - 1)));
      ++next;
    }
  }
  CHECK(next == incoming.end());
}

/// Runs the test for every way to discover, on a communicator of its own.
template <typename Test>
void for_all_ways(Test&& test) {
  for (const Discovery way : ways) {
    CAPTURE(name_of(way));
    const Leftovers leftovers;
    const Comm world(MPI_COMM_WORLD);
    Delivery delivery(world, way);
    test(world, delivery);
  }
}

} // namespace

TEST_CASE("a delivery is what MPI_Alltoall announces") {
  for_all_ways([](const Comm& world, Delivery& delivery) {
    for (int round = 0; round < (world.size() > 32 ? 4 : 20); ++round) {
      check_round(world, delivery, round, 64);
    }
    check_round(world, delivery, 20, world.size() > 32 ? 2000 : 20000); // not all fit into a slot
    check_round(world, delivery, 21, 64);
  });
}

TEST_CASE("deliveries follow each other without a barrier between, with the same tags") {
  for_all_ways([](const Comm& world, Delivery& delivery) {
    const int up = (world.rank() + 1) % world.size();
    std::size_t tags = 0; // and handles: none may run out, in however many rounds
    Handles handles;
    for (int round = 0; round < (world.size() > 32 ? 40 : 300); ++round) { // counters wrap at 256
      std::vector<Parcel> outgoing;
      if (round % world.size() == world.rank()) {
        outgoing.push_back({up, content(world.rank(), up, round, 8)});
      }
      const auto incoming = delivery.exchange(std::move(outgoing));
      const bool mine = (round + 1) % world.size() == world.rank();
      REQUIRE(incoming.size() == (mine ? 1 : 0));
      if (mine) {
        CHECK(incoming[0].bytes == content(incoming[0].rank, world.rank(), round, 8));
      }
      if (round == 2 * world.size()) { // everybody has sent twice
        tags = num_tags();
        handles = open_handles();
      }
    }
    CHECK((world.size() > 16 || (num_tags() == tags && open_handles() == handles)));
  });
}

TEST_CASE("several parcels to one rank keep their order") {
  for_all_ways([](const Comm& world, Delivery& delivery) {
    const auto length = [](int nth) { return nth == 2 ? std::size_t{50000} : std::size_t{4}; };
    std::vector<Parcel> outgoing;
    for (int i = 0; i < 5; ++i) {
      outgoing.push_back({0, content(world.rank(), 0, i, length(i))});
    }
    const auto incoming = delivery.exchange(std::move(outgoing));
    REQUIRE(incoming.size() ==
            (world.rank() == 0 ? 5 * static_cast<std::size_t>(world.size()) : 0));
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      const auto nth = static_cast<int>(i % 5);
      CHECK(incoming[i].rank == static_cast<int>(i / 5));
      CHECK(incoming[i].bytes == content(incoming[i].rank, 0, nth, length(nth)));
    }
  });
}

TEST_CASE("a rank that does not exist is everybody's error, and the next delivery works") {
  for_all_ways([](const Comm& world, Delivery& delivery) {
    std::vector<Parcel> wrong;
    if (world.rank() == world.size() - 1) {
      wrong.push_back({world.size(), {}});
    }
    CHECK_THROWS_AS((void)delivery.exchange(wrong), Error);
    check_round(world, delivery, 1, 64);
  });
}

TEST_CASE("two deliveries share a communicator") {
  const Comm world(MPI_COMM_WORLD);
  for (const Discovery way : ways) {
    Delivery one(world, way);
    Delivery other(world, Discovery::consensus);
    for (int round = 0; round < 6; ++round) {
      check_round(world, round % 2 == 0 ? one : other, round, 64);
    }
  }
}

TEST_CASE("a serial communicator delivers to itself") {
  const Comm serial;
  for (const Discovery way : ways) {
    Delivery delivery(serial, way);
    const auto incoming = delivery.exchange({{0, content(0, 0, 0, 9)}});
    REQUIRE(incoming.size() == 1);
    CHECK(incoming[0].bytes == content(0, 0, 0, 9));
    CHECK(delivery.exchange({}).empty());
    CHECK_THROWS_AS((void)delivery.exchange({{1, {}}}), Error);
  }
}

TEST_CASE("messages beside the payload to k partners" * on_ranks(4)) {
  const Comm world(MPI_COMM_WORLD);
  const auto messages = [&world](Discovery way) {
    Delivery delivery(world, way);
    const auto send = [&](Traffic* traffic) {
      std::vector<Parcel> outgoing;
      for (const int step : {1, world.size() - 1}) {
        outgoing.push_back({(world.rank() + step) % world.size(), content(0, 0, 0, 10)});
      }
      CHECK(delivery.exchange(outgoing, traffic).size() == 2);
    };
    send(nullptr);
    Traffic traffic;
    send(&traffic);
    CHECK(traffic.received >= 2);
    return traffic.messages - 2;
  };
  const int log2 = std::bit_width(static_cast<unsigned>(world.size() - 1));
  int asked = 0; // of the question to all ranks in three ways: those 1 and 2, 3 and 6, … above
  for (int stage = 1; stage < world.size(); stage *= 3) {
    asked += 2 * stage < world.size() ? 2 : 1;
  }
  CHECK(messages(Discovery::remembered) == asked);
  CHECK(messages(Discovery::consensus) == 2 + log2);
  CHECK(messages(Discovery::put_fence) == 2 + log2);
  CHECK(messages(Discovery::all_to_all) == log2);
}

TEST_CASE("automatic is an all-to-all on few ranks and consensus on many") {
  CHECK(fastest_discovery(2, 1) == Discovery::all_to_all);
  CHECK(fastest_discovery(256, 8) == Discovery::all_to_all);
  CHECK(fastest_discovery(1024, 8) == Discovery::consensus);
  CHECK(fastest_discovery(1024, 100) == Discovery::all_to_all); // nearly as many messages
}
