// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/connection.hpp"

#include "partner/two_participants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::partner;
using config::Initialization;
using geometry::Box;
using partner::testing::Couple;
using partner::testing::Way;
using rendezvous::Side;

namespace {

/// Some boxes of a rank; every fifth has none.
std::vector<Box> boxes_of(int rank, unsigned seed) {
  std::mt19937 engine(seed + 100 * static_cast<unsigned>(rank));
  std::uniform_real_distribution<double> draw(0, 1);
  std::vector<Box> boxes((static_cast<unsigned>(rank) + seed) % 5 == 4 ? 0 : 1 + engine() % 2);
  for (Box& box : boxes) {
    box.expand(geometry::Point{draw(engine), draw(engine), draw(engine)});
    box.expand(0.25);
  }
  return boxes;
}

/// One box around all: the two-level initialization knows no more of a rank.
std::vector<Box> joined(const std::vector<Box>& boxes) {
  std::vector<Box> one;
  for (const Box& box : boxes) {
    one.resize(1);
    one[0].expand(box);
  }
  return one;
}

bool meet(std::span<const Box> some, std::span<const Box> others) {
  return std::any_of(some.begin(), some.end(), [&](const Box& one) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Box& other) { return one.intersects(other); });
  });
}

/// The ranks of the other participant that `matches(world rank)` names; all where the receiver is
/// a single rank.
template <typename Matches>
std::vector<int> expected(Couple& couple, bool is_receiver, bool single_has_all, Matches matches) {
  const int receivers =
      is_receiver ? couple.member().comm.size() : couple.connection().remote_size();
  std::vector<int> ranks;
  for (int rank = 0; rank < couple.connection().remote_size(); ++rank) {
    if ((single_has_all && receivers == 1) || matches(couple.world_rank(rank))) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

void check_linked(Couple& couple, const std::vector<int>& partners) {
  for (const int rank : partners) {
    CHECK(couple.member().hub.peer(couple.connection().link_to(rank)).rank == rank);
  }
}

/// Runs the test with each way to deal the ranks to A and B, and with both as the provider.
template <typename Test>
void for_all_couples(Test&& test) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const Way way : {Way::sockets, Way::given_mpi}) {
    for (int num_a = 1; num_a < size; ++num_a) {
      Couple couple(num_a, way);
      for (const bool a_provides : {true, false}) {
        CAPTURE(num_a);
        CAPTURE(a_provides);
        test(couple, couple.is_a() == a_provides ? Side::provider : Side::receiver);
      }
    }
  }
}

} // namespace

TEST_CASE("partners are those whose boxes meet, found on both sides and linked" * on_ranks(2)) {
  for_all_couples([](Couple& couple, Side side) {
    for (const auto initialization : {Initialization::rendezvous, Initialization::two_level}) {
      for (unsigned seed = 1; seed < 6; ++seed) {
        CAPTURE(seed);
        CAPTURE(static_cast<int>(initialization));
        const std::vector<Box> own = boxes_of(couple.world().rank(), seed);
        const std::vector<int> found = couple.connection().find_partners(side, initialization, own);
        CHECK(found == expected(couple, side == Side::receiver, true, [&](int rank) {
                const std::vector<Box> others = boxes_of(rank, seed);
                return initialization == Initialization::two_level
                           ? meet(joined(own), joined(others))
                           : meet(own, others);
              }));
        check_linked(couple, found);
      }
    }
  });
}

TEST_CASE("no boxes at all, no partners where several ranks receive" * on_ranks(2)) {
  for_all_couples([](Couple& couple, Side side) {
    CHECK(couple.connection().find_partners(side, Initialization::rendezvous, {}) ==
          expected(couple, side == Side::receiver, true, [](int) { return false; }));
  });
}

TEST_CASE("partners by vertices are those that have one in common" * on_ranks(2)) {
  for_all_couples([](Couple& couple, Side side) {
    for (GlobalIndex seed = 1; seed < 6; ++seed) {
      const auto ids_of = [seed](int rank) {
        std::vector<GlobalIndex> ids;
        for (GlobalIndex id = 0; id < 12; ++id) {
          if ((id * (7 + rank) + seed * (rank + 1)) % 5 == 0) {
            ids.push_back(id);
          }
        }
        return (rank + seed) % 4 == 3 ? std::vector<GlobalIndex>{} : ids;
      };
      const std::vector<GlobalIndex> own = ids_of(couple.world().rank());
      const std::vector<int> found = couple.connection().find_partners_by_ids(side, own);
      CHECK(found == expected(couple, side == Side::receiver, false, [&](int rank) {
              const std::vector<GlobalIndex> others = ids_of(rank);
              return std::find_first_of(own.begin(), own.end(), others.begin(), others.end()) !=
                     own.end();
            }));
      check_linked(couple, found);
    }
  });
}
