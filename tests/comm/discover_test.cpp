// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/discover.hpp"

#include "comm/requests.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <random>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

using Exchange = std::vector<Parcel> (*)(const Comm&, std::vector<Parcel>, Traffic*);
constexpr Exchange exchanges[] = {sparse_exchange, routed_exchange};

int ceil_log2(int n) {
  int steps = 0;
  while ((1 << steps) < n) {
    ++steps;
  }
  return steps;
}

/// `count` bytes that tell who sent them to whom in which round.
std::vector<std::byte> content(int from, int to, int round, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>((31 * from + 7 * to + 3 * round + static_cast<int>(i)) % 251);
  }
  return bytes;
}

/// Random pattern of the round: 0 = no parcel, else 1 + length. Every rank knows only its own row.
std::vector<int> row(const Comm& comm, int round, int largest) {
  std::mt19937 random(static_cast<unsigned>(1000 * round + comm.rank()));
  std::vector<int> lengths(static_cast<std::size_t>(comm.size()));
  for (int& length : lengths) {
    length =
        random() % 3 == 0 ? 1 + static_cast<int>(random() % static_cast<unsigned>(largest)) : 0;
  }
  return lengths;
}

void check_round(const Comm& comm, Exchange exchange, int round, int largest) {
  const std::vector<int> lengths = row(comm, round, largest);
  std::vector<Parcel> outgoing;
  for (int to = comm.size() - 1; to >= 0; --to) {
    if (const int length = lengths[static_cast<std::size_t>(to)]; length > 0) {
      outgoing.push_back(
          {to, content(comm.rank(), to, round, static_cast<std::size_t>(length - 1))});
    }
  }
  const int open = open_requests();
  const std::vector<Parcel> incoming = exchange(comm, std::move(outgoing), nullptr);
  CHECK(open_requests() == open);

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

} // namespace

TEST_CASE("an exchange delivers what MPI_Alltoall announces") {
  const Comm world(MPI_COMM_WORLD);
  for (const Exchange exchange : exchanges) {
    for (int round = 0; round < 20; ++round) {
      check_round(world, exchange, round, 64);
    }
    check_round(world, exchange, 20, 20000); // some do not fit into the slot
  }
}

TEST_CASE("rounds follow each other without a barrier between") {
  const Comm world(MPI_COMM_WORLD);
  const int up = (world.rank() + 1) % world.size();
  for (const Exchange exchange : exchanges) {
    for (int round = 0; round < 200; ++round) {
      std::vector<Parcel> outgoing;
      if (round % world.size() == world.rank()) {
        outgoing.push_back({up, content(world.rank(), up, round, 8)});
      }
      const auto incoming = exchange(world, std::move(outgoing), nullptr);
      const bool mine = (round + 1) % world.size() == world.rank();
      REQUIRE(incoming.size() == (mine ? 1 : 0));
      if (mine) {
        CHECK(incoming[0].bytes == content(incoming[0].rank, world.rank(), round, 8));
      }
    }
  }
}

TEST_CASE("several parcels to one rank keep their order") {
  const Comm world(MPI_COMM_WORLD);
  for (const Exchange exchange : exchanges) {
    std::vector<Parcel> outgoing;
    for (int i = 0; i < 5; ++i) {
      outgoing.push_back({0, content(world.rank(), 0, i, i == 2 ? 50000 : 4)});
    }
    const auto incoming = exchange(world, std::move(outgoing), nullptr);
    REQUIRE(incoming.size() ==
            (world.rank() == 0 ? 5 * static_cast<std::size_t>(world.size()) : 0));
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      const auto nth = static_cast<int>(i % 5);
      CHECK(incoming[i].rank == static_cast<int>(i / 5));
      CHECK(incoming[i].bytes == content(incoming[i].rank, 0, nth, nth == 2 ? 50000 : 4));
    }
  }
}

TEST_CASE("messages: k + k acknowledgements + log2 for consensus, log2 when routed") {
  const Comm world(MPI_COMM_WORLD);
  const int n = world.size();
  std::vector<Parcel> outgoing;
  for (int i = 0; i < 3; ++i) {
    outgoing.push_back({(world.rank() + i) % n, content(0, 0, 0, 10)});
  }
  int remote = 0;
  for (int i = 1; i < 3; ++i) {
    remote += i % n != 0 ? 1 : 0;
  }
  Traffic consensus;
  CHECK(sparse_exchange(world, outgoing, &consensus).size() == 3);
  CHECK(consensus.messages == 2 * remote + ceil_log2(n));
  CHECK(consensus.received == consensus.messages);
  Traffic routed;
  CHECK(routed_exchange(world, outgoing, &routed).size() == 3);
  CHECK(routed.messages == ceil_log2(n));
  CHECK(routed.received == routed.messages);
}

TEST_CASE("parcels may cause parcels behind one barrier") {
  const Comm world(MPI_COMM_WORLD);
  const int n = world.size();
  // A parcel with content c > 0 sends c - 1 one up and c - 1 two up: 2^c - 1 parcels per start.
  std::int64_t arrived = 0;
  const Reaction react = [&](Parcel parcel) {
    ++arrived;
    const int left = std::to_integer<int>(parcel.bytes.at(0)) - 1;
    std::vector<Parcel> caused;
    for (int i = 1; left > 0 && i <= 2; ++i) {
      caused.push_back({(world.rank() + i) % n, {static_cast<std::byte>(left)}});
    }
    return caused;
  };
  std::vector<Parcel> first;
  if (world.rank() % 2 == 0) {
    first.push_back({n - 1, {std::byte{6}}});
  }
  const int open = open_requests();
  CHECK_FALSE(diffuse(world, first, react));
  CHECK(open_requests() == open);
  CHECK(allreduce(world, arrived, Op::sum) == (n + 1) / 2 * 63);
  CHECK(diffuse(world, {}, react, world.rank() == n - 1));
}

TEST_CASE("a round ends only when what a slow rank causes has arrived") {
  const Comm world(MPI_COMM_WORLD);
  const int last = world.size() - 1;
  int arrived = 0;
  const Reaction react = [&](Parcel parcel) -> std::vector<Parcel> {
    ++arrived;
    if (parcel.bytes.empty()) {
      return {};
    }
    usleep(20000);
    return {{last, {}}};
  };
  // Rank 0 starts two: one is acknowledged at once, the other comes to the last rank late.
  std::vector<Parcel> first;
  if (world.rank() == 0) {
    first = {{last / 2, {}}, {(last + 1) / 2, {std::byte{1}}}};
  }
  diffuse(world, first, react);
  const int expected = (world.rank() == last / 2 ? 1 : 0) +
                       (world.rank() == (last + 1) / 2 ? 1 : 0) + (world.rank() == last ? 1 : 0);
  CHECK(arrived == expected);
}

TEST_CASE("a failure on one rank is everybody's") {
  const Comm world(MPI_COMM_WORLD);
  const int n = world.size();
  for (const Exchange exchange : exchanges) {
    std::vector<Parcel> wrong;
    if (world.rank() == n - 1) {
      wrong.push_back({n, {}});
    }
    CHECK_THROWS_AS(exchange(world, wrong, nullptr), Error);
    check_round(world, exchange, 1, 64); // and the next round works
  }
  // The reaction fails two hops away from where it began.
  const Reaction react = [&](Parcel parcel) {
    check(parcel.bytes.empty(), "cannot digest");
    return std::vector<Parcel>{{(world.rank() + 1) % n, {std::byte{1}}}};
  };
  std::vector<Parcel> first;
  if (world.rank() == 0) {
    first.push_back({n / 2, {}});
  }
  const int open = open_requests();
  CHECK_THROWS_AS(diffuse(world, first, react), Error);
  CHECK(open_requests() == open);
  check_round(world, sparse_exchange, 2, 64);
}

TEST_CASE("a serial communicator exchanges with itself") {
  const Comm serial;
  for (const Exchange exchange : exchanges) {
    const auto incoming = exchange(serial, {{0, content(0, 0, 0, 9)}}, nullptr);
    REQUIRE(incoming.size() == 1);
    CHECK(incoming[0].bytes == content(0, 0, 0, 9));
    CHECK(exchange(serial, {}, nullptr).empty());
  }
}
