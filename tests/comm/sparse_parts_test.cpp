// SPDX-License-Identifier: BSD-3-Clause
// What sparse exchanges are made of, each part alone.
#include "comm/parcels.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/count_window.hpp"
#include "isthmus/comm/sparse/dissemination.hpp"
#include "isthmus/comm/sparse/open_rounds.hpp"
#include "isthmus/comm/sparse/round_messages.hpp"
#include "isthmus/comm/sparse/strangers.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

struct Token {
  int to;
  int step;
  int flags;
  friend bool operator==(const Token&, const Token&) = default;
};

/// Notes the tokens that are due.
struct Notebook {
  std::vector<Token>& tokens;
  void operator()(int to, int step, std::uint8_t flags) const {
    tokens.push_back({to, step, flags});
  }
};

/// How much rank `from` announces to rank `to` in a round; negative: nothing.
std::int64_t announced(int from, int to, int round) {
  const int draw = (7 * from + 3 * to + 5 * round) % 4;
  return draw == 0 ? -1 : draw == 1 ? 0 : (std::int64_t{1} << 33) + 100 * from + to;
}

} // namespace

TEST_CASE("traffic counts what the algorithms send") {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    Traffic reduced;
    reduced.count_allreduce(ranks, 8);
    CHECK(reduced.messages == num_steps(ranks));
    CHECK(reduced.bytes == 8 * num_steps(ranks));
    CHECK(reduced.received == reduced.messages);
    Traffic barrier;
    barrier.count_barrier(ranks);
    CHECK(barrier.messages == num_steps(ranks));
    CHECK(barrier.bytes == 0);
    Traffic swapped;
    swapped.count_alltoall(ranks, 8);
    std::int64_t hops = 0; // an entry for the rank d above goes in one hop for each bit of d
    for (int distance = 1; distance < ranks; ++distance) {
      for (int bit = 0; bit < 6; ++bit) {
        hops += distance >> bit & 1;
      }
    }
    CHECK(swapped.messages == num_steps(ranks));
    CHECK(swapped.bytes == 8 * hops);
    CHECK(swapped.received == swapped.messages);
    Traffic all;
    for (int rank = 0; rank < ranks; ++rank) {
      Traffic of_bcast;
      of_bcast.count_bcast(rank, ranks, 5);
      CHECK(of_bcast.received == (rank == 0 ? 0 : 1));
      CHECK(of_bcast.bytes == 5 * of_bcast.messages);
      if (rank == 0) {
        CHECK(of_bcast.messages == num_steps(ranks));
      }
      all.messages += of_bcast.messages;
    }
    CHECK(all.messages == ranks - 1);
  }
  Traffic traffic;
  traffic.count(100);
  traffic.count(0);
  CHECK(traffic.messages == 2);
  CHECK(traffic.bytes == 100);
  CHECK(traffic.received == 0);
}

TEST_CASE("tokens go out in order, each when those before it have come") {
  const Comm world(MPI_COMM_WORLD);
  const int steps = num_steps(world.size());
  const auto rank_above = [&world](int step) {
    return (world.rank() + (1 << step)) % world.size();
  };
  std::vector<Token> sent;
  Dissemination late(world); // comes when all tokens of the others are there
  for (int step = steps - 1; step >= 0; --step) {
    CHECK_FALSE(late.is_complete());
    late.receive(step, 4, Notebook{sent});
  }
  CHECK(sent.empty());
  late.enter(1, Notebook{sent});
  CHECK(late.is_complete());
  CHECK(late.flags() == (steps > 0 ? 5 : 1));
  std::vector<Token> all;
  for (int step = 0; step < steps; ++step) {
    all.push_back({rank_above(step), step, 5});
  }
  CHECK(sent == all);

  sent.clear();
  Dissemination early(world);
  early.enter(1, Notebook{sent});
  for (int step = 0; step < steps; ++step) { // the tokens come one by one
    CHECK_FALSE(early.is_complete());
    REQUIRE(sent.size() == static_cast<std::size_t>(step) + 1);
    CHECK(sent.back() == Token{rank_above(step), step, step == 0 ? 1 : 3});
    early.receive(step, 2, Notebook{sent});
  }
  CHECK(sent.size() == static_cast<std::size_t>(steps));
  CHECK(early.is_complete());
}

TEST_CASE("nobody leaves a barrier of tokens before all have come, and all know all flags") {
  const Comm world(MPI_COMM_WORLD);
  for (int slow = 0; slow < std::min(world.size(), 4); ++slow) {
    std::uint8_t expected = 0;
    for (int rank = 0; rank < world.size(); ++rank) {
      expected = static_cast<std::uint8_t>(expected | 1 << rank % 8);
    }
    const Handles before = open_handles();
    RoundMessages messages(world, nullptr);
    Dissemination tokens(world);
    int num_sent = 0;
    const auto send = [&](int to, int step, std::uint8_t flags) {
      ++num_sent;
      messages.send(to, {RoundHeader::Kind::token, flags, static_cast<std::uint16_t>(step), 0});
    };
    if (world.rank() != slow || world.size() == 1) {
      tokens.enter(static_cast<std::uint8_t>(1 << world.rank() % 8), send);
    } else { // the token of the rank before is there first, and nobody else has left
      const RoundMessages::Received first = messages.receive();
      tokens.receive(first.header.step, first.header.flags, send);
      CHECK(num_sent == 0);
      tokens.enter(static_cast<std::uint8_t>(1 << world.rank() % 8), send);
    }
    while (!tokens.is_complete()) {
      const RoundMessages::Received next = messages.receive();
      CHECK(next.header.kind == RoundHeader::Kind::token);
      tokens.receive(next.header.step, next.header.flags, send);
    }
    messages.finish();
    CHECK(tokens.flags() == expected);
    CHECK(num_sent == num_steps(world.size()));
    CHECK(open_handles() == before);
  }
}

TEST_CASE("counts that are left at ranks are found there, in every round") {
  const Comm world(MPI_COMM_WORLD);
  const auto size = static_cast<std::size_t>(world.size());
  for (const auto completion : {CountWindow::Completion::fence, CountWindow::Completion::passive}) {
    const Handles before = open_handles();
    {
      CountWindow window(world, completion);
      for (int round = 0; round < 6; ++round) {
        std::vector<Count> counts;
        std::vector<std::int64_t> row(size, -1);
        for (int to = world.size() - 1; to >= 0 && round != 3; --to) { // in the fourth none
          row[static_cast<std::size_t>(to)] = announced(world.rank(), to, round);
          if (const std::int64_t bytes = row[static_cast<std::size_t>(to)]; bytes >= 0) {
            counts.push_back({to, bytes});
          }
        }
        const std::vector<Count> left = window.exchange(counts);
        auto next = left.begin();
        const std::vector<std::int64_t> column = alltoall(world, row);
        for (int from = 0; from < world.size(); ++from) {
          if (const std::int64_t bytes = column[static_cast<std::size_t>(from)]; bytes >= 0) {
            REQUIRE(next != left.end());
            CHECK(next->rank == from);
            CHECK(next->bytes == bytes);
            ++next;
          }
        }
        CHECK(next == left.end());
      }
    }
    CHECK(open_handles() == before);
  }
}

TEST_CASE("a round is open for all where one rank wishes it") {
  const Comm world(MPI_COMM_WORLD);
  OpenRounds rounds(world, Opening::at_once, 1);
  CHECK(rounds.opening() == Opening::at_once);
  for (int wisher = -1; wisher < world.size(); ++wisher) {
    Traffic traffic;
    const bool mine = wisher == world.rank();
    CHECK(rounds.begin(mine, &traffic) == mine);
    CHECK(rounds.is_known_open() == mine);
    CHECK(rounds.finish() == (wisher >= 0));
    CHECK(rounds.is_known_open() == (wisher >= 0));
    CHECK(rounds.countdown() == 0);
    CHECK((traffic.messages > 0) == (world.size() > 1));
    CHECK(traffic.received == traffic.messages);
  }
  rounds.reset(1);
  Traffic traffic;
  CHECK(rounds.begin(false, &traffic)); // all know, nobody asks
  CHECK(rounds.finish());
  CHECK(traffic.messages == 0);
  CHECK_FALSE(rounds.begin(false, nullptr));
  CHECK_FALSE(rounds.finish());
}

TEST_CASE("who calls may know which rounds are open") {
  const Comm world(MPI_COMM_WORLD);
  OpenRounds rounds(world, Opening::by_caller, 1);
  Traffic traffic;
  for (const bool wish : {false, true, true, false}) {
    CHECK(rounds.begin(wish, &traffic) == wish);
    CHECK(rounds.finish() == wish);
  }
  rounds.reset(1);
  CHECK(rounds.begin(false, &traffic));
  CHECK_FALSE(rounds.begin(false, &traffic));
  CHECK(traffic.messages == 0);
}

TEST_CASE("a round that is open later is counted down" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  OpenRounds rounds(world, Opening::later, 3);
  CHECK_FALSE(rounds.begin(true, nullptr));
  CHECK(rounds.countdown() == 3);
  CHECK_FALSE(rounds.begin(true, nullptr)); // the round on its way serves this wish, too
  CHECK(rounds.countdown() == 2);
  rounds.learn(5); // a wish of another rank that came after
  rounds.learn(0);
  CHECK_FALSE(rounds.begin(false, nullptr));
  CHECK(rounds.countdown() == 1);
  CHECK(rounds.begin(false, nullptr)); // three rounds after the wish
  CHECK(rounds.countdown() == 0);
  CHECK_FALSE(rounds.begin(false, nullptr));
  rounds.learn(2); // a partner knows more
  CHECK_FALSE(rounds.begin(false, nullptr));
  CHECK(rounds.begin(false, nullptr));
  rounds.learn(4);
  rounds.reset(2); // what was on its way is forgotten
  CHECK(rounds.countdown() == 0);
  CHECK(rounds.begin(false, nullptr));
  CHECK_FALSE(rounds.begin(true, nullptr));
  CHECK(rounds.countdown() == 2);
}

TEST_CASE("a round of one rank is open when that wishes it") {
  const Comm serial;
  for (const Opening opening : {Opening::at_once, Opening::by_caller, Opening::later}) {
    OpenRounds rounds(serial, opening, 5);
    CHECK_FALSE(rounds.begin(false, nullptr));
    CHECK(rounds.begin(true, nullptr));
    CHECK_FALSE(rounds.begin(false, nullptr));
  }
}

TEST_CASE("messages of a round arrive whole, in one message or in two" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  const int up = (world.rank() + 1) % world.size();
  const int down = (world.rank() + world.size() - 1) % world.size();
  constexpr std::size_t fits = 4000 - sizeof(RoundHeader);
  const std::size_t sizes[] = {0, 1, fits, fits + 1, 100000, 3};
  const Handles before = open_handles();
  Traffic traffic;
  RoundMessages messages(world, &traffic);
  messages.post();
  std::uint32_t ticket = 70000;
  for (const std::size_t size : sizes) {
    messages.send(up, {RoundHeader::Kind::parcel, 3, 4, ticket++},
                  content(world.rank(), up, 1, size));
  }
  ticket = 70000;
  for (const std::size_t size : sizes) {
    const RoundMessages::Received next = messages.receive();
    CHECK(next.source == down);
    CHECK(next.header.kind == RoundHeader::Kind::parcel);
    CHECK(next.header.flags == 3);
    CHECK(next.header.step == 4);
    CHECK(next.header.ticket == ticket++);
    CHECK(next.header.size == size);
    CHECK(next.payload == content(down, world.rank(), 1, size));
  }
  messages.finish();
  CHECK(traffic.messages == 8);
  CHECK(traffic.received == 8);
  CHECK(traffic.bytes ==
        static_cast<std::int64_t>(6 * sizeof(RoundHeader) + 0 + 1 + fits + fits + 1 + 100000 + 3));
  CHECK(open_handles() == before);
}

TEST_CASE("messages of the next round do not meet those of this one" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  const int up = (world.rank() + 1) % world.size();
  RoundMessages one(world, nullptr);
  RoundMessages next(world, nullptr);
  for (const std::size_t size : {std::size_t{5}, std::size_t{5000}}) {
    next.send(up, {RoundHeader::Kind::parcel, 0, 0, 2}, content(0, 0, 2, size));
    one.send(up, {RoundHeader::Kind::parcel, 0, 0, 1}, content(0, 0, 1, size));
    const RoundMessages::Received of_one = one.receive();
    CHECK(of_one.header.ticket == 1);
    CHECK(of_one.payload == content(0, 0, 1, size));
    const RoundMessages::Received of_next = next.receive();
    CHECK(of_next.header.ticket == 2);
    CHECK(of_next.payload == content(0, 0, 2, size));
  }
  one.finish();
  next.finish();
}

TEST_CASE("strangers get all that was added for them as one parcel") {
  const Comm world(MPI_COMM_WORLD);
  const int size = world.size();
  Strangers strangers;
  CHECK(strangers.arrived().empty());
  for (int round = 0; round < 3; ++round) {
    const bool sends = (world.rank() + round) % 2 == 0;
    const int to = (world.rank() + 1 + round) % size;
    if (sends) {
      strangers.append(to, content(world.rank(), to, round, 10));
      strangers.append(to, content(world.rank(), to, round, 5000));
    }
    strangers.exchange(world, {}, nullptr);
    const int from = (world.rank() + 3 * size - 1 - round) % size;
    const bool comes = (from + round) % 2 == 0;
    REQUIRE(strangers.arrived().size() == (comes ? 1 : 0));
    if (comes) {
      std::vector<std::byte> expected = content(from, world.rank(), round, 10);
      const std::vector<std::byte> second = content(from, world.rank(), round, 5000);
      expected.insert(expected.end(), second.begin(), second.end());
      CHECK(strangers.arrived()[0].rank == from);
      CHECK(strangers.arrived()[0].bytes == expected);
    }
    std::vector<int> met(strangers.met().begin(), strangers.met().end());
    std::vector<int> expected;
    if (sends) {
      expected.push_back(to);
    }
    if (comes) {
      expected.push_back(from);
    }
    CHECK(met == expected);
  }
}

TEST_CASE("what one rank brings as a failure all throw, and the next exchange works") {
  const Comm world(MPI_COMM_WORLD);
  const int last = world.size() - 1;
  Strangers strangers;
  strangers.append(0, content(world.rank(), 0, 0, 4));
  std::optional<std::string> failure;
  if (world.rank() == last) {
    failure = "no position";
  }
  CHECK(message_of([&] { strangers.exchange(world, failure, nullptr); }) ==
        (last == 0 ? std::string("no position") : fmt::format("rank {}: no position", last)));
  strangers.exchange(world, {}, nullptr); // what was to go then is gone
  CHECK(strangers.arrived().empty());
  CHECK(strangers.met().empty());
}
