// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include "comm/parcels.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace isthmus;
using namespace isthmus::comm;

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
  CHECK(consensus.messages == 2 * remote + num_steps(n));
  CHECK(consensus.received == consensus.messages);
  Traffic routed;
  CHECK(routed_exchange(world, outgoing, &routed).size() == 3);
  CHECK(routed.messages == num_steps(n));
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
  const int open = open_handles().requests;
  CHECK_FALSE(diffuse(world, first, react));
  CHECK(open_handles().requests == open);
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

TEST_CASE("what a reaction throws is thrown by all") {
  const Comm world(MPI_COMM_WORLD);
  const int n = world.size();
  // The reaction fails two hops away from where it began.
  const Reaction react = [&](Parcel parcel) {
    check(parcel.bytes.empty(), "cannot digest");
    return std::vector<Parcel>{{(world.rank() + 1) % n, {std::byte{1}}}};
  };
  std::vector<Parcel> first;
  if (world.rank() == 0) {
    first.push_back({n / 2, {}});
  }
  const int open = open_handles().requests;
  CHECK_THROWS_AS(diffuse(world, first, react), Error);
  CHECK(open_handles().requests == open);
  CHECK(sparse_exchange(world, {{0, {}}}).size() ==
        (world.rank() == 0 ? static_cast<std::size_t>(n) : 0));
}
