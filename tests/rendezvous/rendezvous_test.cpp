// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/rendezvous.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/rendezvous/centralized.hpp"
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

rendezvous::Rendezvous rendezvous_of(TwoSides& sides, const Boxes& boxes) {
  return {sides.mine, sides.side, sides.remote_size(),
          sides,      boxes,      address_of(sides.side, sides.mine.rank())};
}

} // namespace

TEST_CASE("partners are those of an all-pairs comparison") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    for (const auto& [name, pattern] : patterns) {
      CAPTURE(name);
      const Boxes own = pattern(sides.side, sides.mine.rank(), sides.mine.size());
      CHECK(rendezvous_of(sides, own).partners() == brute_force(sides, own));
    }
  });
}

TEST_CASE("an updated rendezvous equals a fresh one") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    const int rank = sides.mine.rank();
    Boxes own = scattered(10, sides.side, rank);
    rendezvous::Rendezvous meeting = rendezvous_of(sides, own);
    for (unsigned step = 11; step < 19; ++step) {
      const bool mine_change = (step + static_cast<unsigned>(rank)) % 3 == 0;
      if (mine_change) {
        const Boxes next = scattered(step, sides.side, rank);
        own.resize(own.size() / 2); // keep some
        own.insert(own.end(), next.begin(), next.end());
      }
      const bool any = comm::allreduce(sides.world, mine_change ? 1 : 0, comm::Op::max) == 1;
      meeting.update(any, own);
      CHECK(meeting.partners() == brute_force(sides, own));
    }
    // From nothing to something, and far larger than ever before.
    meeting.update(true, {});
    CHECK(meeting.partners().empty());
    own = {{{-1e4, 0, 0}, {1.0 * rank, 1, 1}}};
    meeting.update(true, own);
    CHECK(meeting.partners() == brute_force(sides, own));
    CHECK(meeting.partners() == rendezvous_of(sides, own).partners());
  });
}

TEST_CASE("boxes that move keep the rendezvous up to date") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    const int rank = sides.mine.rank();
    std::mt19937 random(static_cast<unsigned>(sides.world.rank()));
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Boxes own(3, Box{{0, 0, 0}, {0.4, 0.2, 0.1}});
    own[2].hi = {0.05, 0.05, 0.0};
    rendezvous::Rendezvous meeting = rendezvous_of(sides, own);
    for (int step = 0; step < 8; ++step) {
      if ((step + rank) % 2 == 0) {
        Box& box = own[random() % 3];
        const Point shift{unit(random), unit(random), 0.0};
        for (std::size_t k = 0; k < 3; ++k) {
          box.hi[k] += shift[k] - box.lo[k];
          box.lo[k] = shift[k];
        }
      }
      meeting.update(true, own);
      CHECK(meeting.partners() == brute_force(sides, own));
    }
  });
}

TEST_CASE("an unchanged rendezvous costs nothing") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    const Boxes own = strips(sides.side, sides.mine.rank(), sides.mine.size());
    rendezvous::Rendezvous meeting = rendezvous_of(sides, own);
    CHECK(meeting.traffic().messages > 0);
    meeting.update(false, own);
    CHECK(meeting.traffic().messages == 0);
    CHECK(meeting.traffic().received == 0);
    CHECK(meeting.partners() == brute_force(sides, own));
  });
}

TEST_CASE("a small change costs little") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    Boxes own = same_strips(sides.side, sides.mine.rank(), sides.mine.size());
    rendezvous::Rendezvous meeting = rendezvous_of(sides, own);
    const comm::Traffic full = meeting.traffic();
    if (sides.world.rank() == 0) {
      own[0].hi[0] += 0.5 / sides.providers;
    }
    meeting.update(true, own);
    CHECK(meeting.partners() == brute_force(sides, own));
    const comm::Traffic small = meeting.traffic();
    std::vector<std::int64_t> sums{full.messages, full.bytes, small.messages, small.bytes};
    comm::allreduce(sides.world, std::span(sums), comm::Op::sum);
    // Less than 5 % of the ranks changed; each provider's rank asks its proxy.
    if (sides.world.size() >= 64 && sides.providers >= 16 && sides.providers <= sides.receivers()) {
      CHECK(2 * sums[2] <= sums[0]);
      CHECK(10 * sums[3] <= sums[1]);
    }
  });
}

TEST_CASE("messages of a rendezvous grow with the logarithm of the ranks") {
  for_all_splits([](TwoSides& sides) {
    link(sides);
    rendezvous::Rendezvous meeting =
        rendezvous_of(sides, same_strips(sides.side, sides.mine.rank(), sides.mine.size()));
    const rendezvous::RankRange clients =
        rendezvous::proxy_clients(sides.mine.rank(), sides.providers, sides.receivers());
    const int rounds = std::bit_width(static_cast<unsigned>(sides.receivers() - 1));
    CHECK(meeting.traffic().messages ==
          (sides.provides() ? 1 : 3 * rounds + clients.last - clients.first));
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
