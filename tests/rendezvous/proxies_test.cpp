// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/proxies.hpp"

#include "isthmus/comm/collective.hpp"
#include "rendezvous/two_sides.hpp"

#include <bit>

using namespace isthmus;
using namespace isthmus::rendezvous;

TEST_CASE("every rank of the provider has one proxy, and the clients are the inverse") {
  for (int p = 1; p <= 20; ++p) {
    for (int q = 1; q <= 20; ++q) {
      int clients = 0;
      bool inverse = true;
      for (int j = 0; j < q; ++j) {
        const rendezvous::RankRange range = rendezvous::proxy_clients(j, p, q);
        for (int i = 0; i < p; ++i) {
          inverse = inverse && range.contains(i) == (rendezvous::proxy_rank(i, p, q) == j);
        }
        clients += range.last - range.first;
      }
      CHECK(inverse);
      CHECK(clients == p);
    }
  }
}

TEST_CASE("every rank of the provider is linked with its proxy") {
  for_all_splits([](TwoSides& sides) {
    comm::Traffic traffic;
    const int rank = sides.mine.rank();
    const std::vector<rendezvous::Partner> partners = rendezvous::link_proxies(
        sides.mine, sides.side, sides.remote_size(), address_of(sides.side, rank), sides, &traffic);
    std::vector<rendezvous::Partner> expected;
    for (int remote = 0; remote < sides.remote_size(); ++remote) {
      const int i = sides.provides() ? rank : remote;
      const int j = sides.provides() ? remote : rank;
      if (rendezvous::proxy_rank(i, sides.providers, sides.receivers()) == j) {
        expected.push_back({remote, address_of(sides.provides() ? rendezvous::Side::receiver
                                                                : rendezvous::Side::provider,
                                               remote)});
      }
    }
    CHECK(partners == expected);
    std::set<int> linked; // the first ranks were before
    for (const rendezvous::Partner& partner : expected) {
      linked.insert(partner.rank);
    }
    CHECK(sides.linked == linked);
    if (sides.provides()) { // two per round as a leader, one as an upper leader
      CHECK(traffic.messages <= 2 * std::bit_width(static_cast<unsigned>(sides.providers)) + 1);
    }
    comm::barrier(sides.world);
  });
}
