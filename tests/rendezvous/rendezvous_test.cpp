// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/rendezvous.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/rendezvous/centralized.hpp"
#include "isthmus/rendezvous/meetings.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "rendezvous/two_sides.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

using namespace isthmus;
using namespace isthmus::rendezvous;
using geometry::Box;
using geometry::Point;

namespace {

using Boxes = std::vector<Box>;
using Pattern = std::function<Boxes(rendezvous::Side, int rank, int ranks)>;

/// Links the proxies as the participant does.
void link(TwoSides& sides) {
  static_cast<void>(
      rendezvous::link_proxies(sides.mine, sides.side, sides.remote_size(), {}, sides));
}

/// All pairs of boxes, compared on every rank.
std::vector<rendezvous::Partner> brute_force(const TwoSides& sides, const Boxes& own) {
  const auto all = comm::allgather<Box>(sides.world, own);
  std::vector<rendezvous::Partner> partners;
  for (int remote = 0; remote < sides.remote_size(); ++remote) {
    const auto theirs = all.of(sides.world_rank(remote));
    const bool meet = std::any_of(own.begin(), own.end(), [&](const Box& a) {
      return std::any_of(theirs.begin(), theirs.end(),
                         [&](const Box& b) { return a.intersects(b); });
    });
    if (meet) {
      partners.push_back({remote, address_of(rendezvous::other(sides.side), remote)});
    }
  }
  return partners;
}

/// A strip of the unit square per rank, x for providers and y for receivers: all meet all.
Boxes strips(rendezvous::Side side, int rank, int ranks) {
  Box box{{0, 0, 0}, {1, 1, 0}};
  const std::size_t axis = side == rendezvous::Side::provider ? 0 : 1;
  box.lo[axis] = 1.0 * rank / ranks;
  box.hi[axis] = (rank + 1.0) / ranks;
  return {box};
}

/// Neighbouring strips touch, so that closed boxes matter.
Boxes same_strips(rendezvous::Side, int rank, int ranks) {
  return strips(rendezvous::Side::provider, rank, ranks);
}

/// Some boxes of all sizes; some ranks have none.
Boxes scattered(unsigned seed, rendezvous::Side side, int rank) {
  std::mt19937 random(seed * 7919U + 2U * static_cast<unsigned>(rank) +
                      (side == rendezvous::Side::provider ? 1U : 0U));
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Boxes boxes(random() % 4);
  for (Box& box : boxes) {
    const double edge = std::pow(10.0, -3.0 * unit(random));
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = 4.0 * unit(random) - 2.0;
      box.hi[k] = box.lo[k] + edge * unit(random);
    }
  }
  return boxes;
}

const std::vector<std::pair<std::string, Pattern>> patterns{
    {"strips", strips},
    {"same strips", same_strips},
    {"scattered", [](rendezvous::Side side, int rank, int) { return scattered(1, side, rank); }},
    {"scattered again",
     [](rendezvous::Side side, int rank, int) { return scattered(2, side, rank); }},
    {"nobody", [](rendezvous::Side, int, int) { return Boxes{}; }},
    {"only the receiver",
     [](rendezvous::Side side, int rank, int ranks) {
       return side == rendezvous::Side::receiver ? strips(side, rank, ranks) : Boxes{};
     }},
    {"points",
     [](rendezvous::Side, int rank, int) {
       const double x = 1000.0 + rank;
       return Boxes{{{x, 0, 0}, {x, 0, 0}}, {{x, x, 0}, {x, x, 0}}};
     }},
    {"everything and one alone far away",
     [](rendezvous::Side side, int rank, int ranks) {
       const double inf = Box::infinity;
       if (side == rendezvous::Side::provider) {
         return rank == 0 ? Boxes{{{-inf, -inf, -inf}, {inf, inf, inf}}}
                          : strips(side, rank, ranks);
       }
       return rank == 0 ? Boxes{{{1e6, 1e6, 1e6}, {1e6 + 1, 1e6 + 1, 1e6 + 1}}}
                        : strips(side, rank, ranks);
     }},
};

std::vector<rendezvous::Partner> partners_of(TwoSides& sides, const Boxes& boxes,
                                             comm::Traffic* traffic = nullptr) {
  const int rank = sides.mine.rank();
  return rendezvous::rendezvous_partners(sides.mine, sides.remote_size(), sides,
                                         {sides.side, rank, address_of(sides.side, rank), boxes},
                                         traffic);
}

} // namespace

TEST_CASE("partners are those of an all-pairs comparison") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    for (const auto& [name, pattern] : patterns) {
      CAPTURE(name);
      const Boxes own = pattern(sides.side, sides.mine.rank(), sides.mine.size());
      CHECK(partners_of(sides, own) == brute_force(sides, own));
    }
  });
}

TEST_CASE("boxes that differ in size by any factor meet as all pairs say") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    const int rank = sides.mine.rank();
    for (unsigned seed = 11; seed < 19; ++seed) {
      Boxes own = scattered(seed, sides.side, rank);
      CHECK(partners_of(sides, own) == brute_force(sides, own));
      own.push_back({{-1e4, 0, 0}, {1.0 * rank, 1, 1}});
      CHECK(partners_of(sides, own) == brute_force(sides, own));
    }
  });
}

TEST_CASE("messages of a rendezvous grow with the logarithm of the ranks") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    comm::Traffic traffic;
    const Boxes own = same_strips(sides.side, sides.mine.rank(), sides.mine.size());
    CHECK(partners_of(sides, own, &traffic) == brute_force(sides, own));
    const rendezvous::RankRange clients =
        rendezvous::proxy_clients(sides.mine.rank(), sides.providers, sides.receivers());
    const int rounds = std::bit_width(static_cast<unsigned>(sides.receivers() - 1));
    CHECK(traffic.messages == (sides.provides() ? 1 : 3 * rounds + clients.last - clients.first));
  });
}

TEST_CASE("the centralized ways find the same partners") {
  for_all_splits([](TwoSides& sides) {
    const int rank = sides.mine.rank();
    for (const auto& [name, pattern] : patterns) {
      CAPTURE(name);
      Boxes own = pattern(sides.side, rank, sides.mine.size());
      own.resize(std::min<std::size_t>(own.size(), 1)); // two-level knows one box per rank
      CHECK(rendezvous::two_level_partners(sides.mine, sides.side, sides, own,
                                           address_of(sides.side, rank)) ==
            brute_force(sides, own));
    }
    // Ids: provider r owns 10 r … 10 r + 9; receiver r keeps 7 r … 7 r + 7.
    const int first = sides.provides() ? 10 * rank : 7 * rank;
    const int count = sides.provides() ? 10 : 8;
    std::vector<GlobalIndex> ids;
    for (int id = first; id < first + count; ++id) {
      ids.push_back(id);
    }
    const Boxes own{{{1.0 * first, 0, 0}, {1.0 * (first + count - 1), 0, 0}}};
    CHECK(rendezvous::one_level_partners(sides.mine, sides.side, sides, ids,
                                         address_of(sides.side, rank)) == brute_force(sides, own));
  });
}
