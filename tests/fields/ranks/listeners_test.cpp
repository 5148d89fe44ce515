// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/listeners.hpp"

#include "isthmus/comm/collective.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

using WorldRanks = std::vector<int>;

/// Rank of the world at the other end of a link.
int end_of(const TwoParticipants& both, transport::LinkId link) {
  return both.hub.peer(link).rank + (both.provides ? both.providers : 0);
}

/// From whom to whom words go, both ways, as the sources or the targets of all ranks say it.
std::vector<std::pair<int, int>> pairs(const TwoParticipants& both,
                                       const std::vector<transport::LinkId>& links,
                                       bool are_sources) {
  WorldRanks own;
  for (const transport::LinkId link : links) {
    own.push_back(end_of(both, link));
  }
  const auto all = comm::allgather(both.world, std::span<const int>(own));
  std::vector<std::pair<int, int>> result;
  for (int rank = 0; rank < both.world.size(); ++rank) {
    for (const int other : all.of(rank)) {
      result.push_back(are_sources ? std::pair(other, rank) : std::pair(rank, other));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// With every number of ranks of A, and with every third rank, all and none that get data.
void for_each_case(const std::function<void(TwoParticipants&, bool receives)>& play) {
  const comm::Comm world(MPI_COMM_WORLD);
  const int step = std::max(1, world.size() / 4); // of a simulated cluster some
  for (int providers = 1; providers < world.size(); providers += step) {
    for (const int one_in : {1, 3, 1000}) {
      TwoParticipants both(providers);
      play(both, world.rank() % one_in == one_in - 1);
    }
  }
}

} // namespace

TEST_CASE("each rank without data is notified by one rank of the partner, which knows it" *
          on_ranks(2)) {
  for_each_case([](TwoParticipants& both, bool receives) {
    const Listeners found = find_listeners(both.connection, receives);
    CHECK(found.sources.size() == (receives ? 0 : 1));
    const auto notified = pairs(both, found.sources, true);
    CHECK(notified == pairs(both, found.targets, false));
    // of both participants: nobody speaks for more than its share
    const int own = both.mine.size();
    const int others = both.world.size() - own;
    CHECK(static_cast<int>(found.targets.size()) <= (others + own - 1) / own);
    for (const auto& [from, to] : notified) {
      CHECK((from < both.providers) != (to < both.providers));
    }
  });
}

TEST_CASE("a notice of a mesh that was reset comes to all ranks without data" * on_ranks(2)) {
  for_each_case([](TwoParticipants& both, bool receives) {
    const Listeners found = find_listeners(both.connection, receives);
    const Listeners again = find_listeners(both.connection, receives); // over the same links
    CHECK(again.sources == found.sources);
    CHECK(again.targets == found.targets);
    MessageSet messages({}, {}, found);
    transfer::Changes changes;
    changes.reset = both.provides ? 1 : 2;
    std::vector<transport::Outgoing> outgoing;
    std::vector<transport::Incoming> incoming;
    messages.post_notices(outgoing, changes, LinkChoice::all());
    messages.post_incoming(incoming);
    both.hub.exchange(outgoing, incoming, 60);
    CHECK(messages.has_changes() == !receives);
    for (const ReceivedChanges& one : messages.received_changes(LinkChoice::all())) {
      CHECK(one.changes->reset == (both.provides ? 2 : 1));
    }
  });
}
