// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/connection.hpp"
#include "isthmus/partner/joint_ranks.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "message_of.hpp"
#include "partner/two_participants.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::partner;
using partner::testing::all_ways;
using partner::testing::Couple;
using partner::testing::limit_s;
using partner::testing::Way;
using rendezvous::Side;
using transport::Kind;

namespace {

std::vector<std::byte> two_numbers(int from, int to) {
  return Writer().put(from).put(to).take();
}

/// What first ranks swap; and the same, but with something missing or something more.
struct TwoNumbers {
  static constexpr Kind kind = Kind::turn;
  int from = 0;
  int to = 0;

  void write(Writer& writer) const { writer.put(from).put(to); }
  static TwoNumbers read(Reader& reader) {
    const int from = reader.get<int>();
    return {from, reader.get<int>()};
  }
};

template <int numbers>
struct OtherNumbers : TwoNumbers {
  void write(Writer& writer) const {
    for (int i = 0; i < numbers; ++i) {
      writer.put(i);
    }
  }
  static OtherNumbers read(Reader& reader) { return {TwoNumbers::read(reader)}; }
};

/// Runs the test with one rank of A, and with one of B, by all ways.
template <typename Test>
void for_all_couples(Test&& test) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const Way way : all_ways) {
    for (const int num_a : {1, size - 1}) {
      CAPTURE(static_cast<int>(way));
      CAPTURE(num_a);
      Couple couple(num_a, way);
      test(couple, way);
    }
  }
}

} // namespace

TEST_CASE("participants that have met know each other's size, and the first ranks are linked" *
          on_ranks(2)) {
  for_all_couples([](Couple& couple, Way way) {
    Connection& connection = couple.connection();
    const comm::Comm& own = couple.member().comm;
    CHECK(connection.partner() == couple.other());
    CHECK(connection.accepts() == couple.is_a()); // the connector looks for the acceptor
    CHECK(connection.remote_size() == couple.world().size() - own.size());
    CHECK((connection.link_to_first() >= 0) == own.is_root());
    CHECK(connection.own_address().empty() == (way != Way::sockets));
    if (own.is_root()) {
      CHECK(connection.link_to_first() == connection.link_to(0));
      CHECK((couple.member().hub.transport(connection.link_to(0)) == "mpi") ==
            (way != Way::sockets));
    }
    const TwoNumbers received = connection.swap(TwoNumbers{couple.is_a() ? 1 : 2, 7});
    CHECK(received.from == (couple.is_a() ? 2 : 1)); // on all ranks
    CHECK(received.to == 7);
    CHECK(message_of([&] { static_cast<void>(connection.swap(OtherNumbers<1>())); }) ==
          "a message is too short: 4 bytes expected, 0 left");
    CHECK(message_of([&] { static_cast<void>(connection.swap(OtherNumbers<3>())); }) ==
          "a message is too long by 4 bytes");
  });
}

TEST_CASE("ranks that are partners are linked once, and messages go between them" * on_ranks(2)) {
  for_all_couples([](Couple& couple, Way way) {
    Connection& connection = couple.connection();
    transport::Hub& hub = couple.member().hub;
    const Side side = couple.is_a() ? Side::provider : Side::receiver;
    const GlobalIndex everybody = 5; // has this vertex
    const std::vector<int> all = connection.find_partners_by_ids(side, std::span(&everybody, 1));
    CHECK(all.size() == static_cast<std::size_t>(connection.remote_size()));
    const int links = hub.size();
    std::map<int, transport::LinkId> before;
    for (const int rank : all) {
      const transport::LinkId link = connection.link_to(rank);
      before[rank] = link;
      CHECK(hub.peer(link).participant == couple.other());
      CHECK(hub.peer(link).rank == rank);
      CHECK((hub.transport(link) == "mpi") == (way != Way::sockets));
      hub.send(link, Kind::control, two_numbers(couple.world().rank(), couple.world_rank(rank)));
    }
    for (const int rank : all) {
      CHECK(hub.receive(connection.link_to(rank), Kind::control, limit_s) ==
            two_numbers(couple.world_rank(rank), couple.world().rank()));
    }
    CHECK(connection.find_partners_by_ids(side, std::span(&everybody, 1)) == all);
    CHECK(connection.find_partners_by_ids(side, {}).empty());
    CHECK(hub.size() == links); // all of them were there
    for (const int rank : all) {
      CHECK(connection.link_to(rank) == before[rank]);
    }
  });
}

TEST_CASE("every rank of the provider is linked with its proxy" * on_ranks(2)) {
  for_all_couples([](Couple& couple, Way) {
    Connection& connection = couple.connection();
    transport::Hub& hub = couple.member().hub;
    const int own = couple.member().comm.rank();
    const int own_size = couple.member().comm.size();
    for (const bool a_provides : {true, false}) {
      const Side side = couple.is_a() == a_provides ? Side::provider : Side::receiver;
      connection.link_proxies(side);
      const int links = hub.size();
      connection.link_proxies(side);
      CHECK(hub.size() == links); // only the first call does anything
      std::vector<int> linked;
      if (side == Side::provider) {
        linked.push_back(rendezvous::proxy_rank(own, own_size, connection.remote_size()));
      } else {
        const auto clients = rendezvous::proxy_clients(own, connection.remote_size(), own_size);
        for (int client = clients.first; client < clients.last; ++client) {
          linked.push_back(client);
        }
      }
      for (const int rank : linked) {
        CHECK(hub.peer(connection.link_to(rank)).rank == rank);
        hub.send(connection.link_to(rank), Kind::addresses, two_numbers(own, rank));
      }
      for (const int rank : linked) {
        CHECK(hub.receive(connection.link_to(rank), Kind::addresses, limit_s) ==
              two_numbers(rank, own));
      }
    }
  });
}

TEST_CASE("ranks of one job of MPI are numbered as they stand in the communicator" * on_ranks(2)) {
  JointJob job{comm::Comm(MPI_COMM_WORLD), {}};
  const int size = job.comm.size();
  for (int rank = size - 1; rank >= 0; --rank) { // in the opposite order, the first one apart
    job.ranks[rank == 0 ? "A" : "B"].push_back(rank);
  }
  CHECK(message_of([&job] { const JointRanks ranks(job, "C"); }) ==
        "participant \"C\" has no rank in the joint communicator");
  const bool is_a = job.comm.is_root();
  const JointRanks partner(job, is_a ? "B" : "A");
  transport::Hub hub;
  if (is_a) {
    for (int remote = 0; remote < size - 1; ++remote) {
      const transport::LinkId link = partner.link(hub, remote);
      CHECK(hub.peer(link).participant == "B");
      CHECK(hub.peer(link).rank == remote);
      hub.send(link, Kind::control, two_numbers(0, remote));
    }
  } else {
    const transport::LinkId link = partner.link(hub, 0);
    CHECK(hub.receive(link, Kind::control, limit_s) == two_numbers(0, size - 1 - job.comm.rank()));
  }
  hub.close(limit_s);
  hub.part_from_mpi();
}

TEST_CASE("ranks of two participants join in a communicator of their own" * on_ranks(2)) {
  const comm::Comm world(MPI_COMM_WORLD);
  const bool is_first = world.rank() == world.size() - 1; // the last one comes first
  const std::vector<int> first{world.size() - 1};
  std::vector<int> second;
  for (int rank = 0; rank + 1 < world.size(); ++rank) {
    second.push_back(rank);
  }
  JointRanks partner(is_first ? "B" : "A", is_first ? world.size() - 1 : 1, is_first ? 1 : 0);
  partner.join(first, second);
  transport::Hub hub;
  if (is_first) {
    for (int remote = 0; remote + 1 < world.size(); ++remote) {
      hub.send(partner.link(hub, remote), Kind::control, two_numbers(7, remote));
    }
  } else {
    CHECK(hub.receive(partner.link(hub, 0), Kind::control, limit_s) ==
          two_numbers(7, world.rank()));
  }
  hub.close(limit_s);
  hub.part_from_mpi();
}
