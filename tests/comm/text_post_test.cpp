// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/text_post.hpp"

#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::comm;

#ifndef ISTHMUS_SIMULATED // where nobody records what happens
namespace {

std::string text(int rank, int nth) {
  std::string result = std::to_string(rank) + " " + std::to_string(nth) + " ";
  result.append(nth % 5 == 4 ? 100000 : static_cast<std::size_t>(nth), 'x'); // some are large
  return result;
}

int num_texts(int rank) {
  return rank % 3 == 2 ? 0 : 7 + rank;
}

} // namespace

TEST_CASE("texts come to the first rank, those of one rank in order, all of them in the end") {
  const Handles before = open_handles();
  for (int round = 0; round < 3; ++round) {
    const Comm world(MPI_COMM_WORLD);
    TextPost post(world);
    std::map<int, int> next; // of each rank
    const auto take = [&next](const std::string& said) {
      const int rank = std::stoi(said);
      CHECK(said == text(rank, next[rank]));
      ++next[rank];
    };
    for (int nth = 0; !world.is_root() && nth < num_texts(world.rank()); ++nth) {
      post.send(text(world.rank(), nth));
      post.receive(take); // nothing here
    }
    post.receive(take); // what has come so far
    post.finish(take);
    std::map<int, int> expected;
    for (int rank = 1; world.is_root() && rank < world.size(); ++rank) {
      if (num_texts(rank) > 0) {
        expected[rank] = num_texts(rank);
      }
    }
    CHECK(next == expected);
  }
  CHECK(open_handles() == before);
}

TEST_CASE("an empty text is refused, as it would end the post" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  TextPost post(world);
  if (!world.is_root()) {
    CHECK_THROWS_WITH_AS(post.send(""), "an empty text says that a rank sends nothing any more",
                         Error);
    post.send("still there");
  }
  int taken = 0;
  post.finish([&taken](const std::string& said) { taken += said == "still there" ? 1 : 0; });
  CHECK(taken == (world.is_root() ? world.size() - 1 : 0));
}

TEST_CASE("the wait for texts ends with the watch, and what is on its way is left to MPI" *
          on_ranks(2)) {
  const MayLeak kept;
  Comm world(MPI_COMM_WORLD);
  world.keep();
  if (world.is_root()) {
    TextPost post(world);
    const TextPost::Take nothing = [](const std::string&) {};
    world.set_watch([] { throw Error("a partner crashed"); }, 60);
    CHECK_THROWS_WITH_AS(post.finish(nothing), "a partner crashed", Error);
    world.set_watch({}, 0.01);
    CHECK_THROWS_WITH_AS(post.finish(nothing), "rank 0 waited 0.01 s for texts of the other ranks",
                         Error);
  } else {
    TextPost post(world);
    post.send(std::string(100000, 'x')); // nobody will receive it
  }
}

TEST_CASE("a serial communicator has nobody to write") {
  const Comm serial;
  TextPost post(serial);
  int taken = 0;
  const TextPost::Take take = [&taken](const std::string&) { ++taken; };
  post.receive(take);
  post.finish(take);
  CHECK(taken == 0);
}
#endif
