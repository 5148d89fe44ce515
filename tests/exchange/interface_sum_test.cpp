// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_sum.hpp"

#include "allocations.hpp"
#include "exchange/sharing.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

using namespace isthmus;
using exchange::InterfacePlan;
using exchange::InterfaceSum;
using exchange::SumStrategy;

namespace {

constexpr SumStrategy strategies[] = {SumStrategy::automatic,     SumStrategy::allreduce,
                                      SumStrategy::allgather,     SumStrategy::two_stage,
                                      SumStrategy::shared_memory, SumStrategy::one_round};

/// What a rank contributes to component c of a node, with bits down to the last.
double part(int rank, GlobalIndex id, std::size_t c, int round) {
  return std::sin(1.0 + static_cast<double>(id) + 17.0 * rank + 0.3 * static_cast<double>(c) +
                  5.0 * round) *
         std::pow(10.0, (rank + static_cast<int>(c)) % 5);
}

std::vector<double> parts(const comm::Comm& comm, const std::vector<GlobalIndex>& ids,
                          std::size_t width, int round) {
  std::vector<double> values;
  for (const GlobalIndex id : ids) {
    for (std::size_t c = 0; c < width; ++c) {
      values.push_back(part(comm.rank(), id, c, round));
    }
  }
  return values;
}

/// Sums in the order of the ranks.
std::vector<double> expected(const Sharing& sharing, const std::vector<GlobalIndex>& ids,
                             std::size_t width, int round) {
  std::vector<double> values;
  for (const GlobalIndex id : ids) {
    for (std::size_t c = 0; c < width; ++c) {
      double sum = 0;
      bool first = true;
      for (const int rank : sharing.at(id)) {
        sum = first ? part(rank, id, c, round) : sum + part(rank, id, c, round);
        first = false;
      }
      values.push_back(sum);
    }
  }
  return values;
}

void check_sums(const comm::Comm& comm, const Sharing& sharing) {
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  for (const SumStrategy strategy : strategies) {
    for (const int components : {1, 3}) {
      if (components == 1 && comm.size() > 16) {
        continue; // enough of simulation
      }
      const auto width = static_cast<std::size_t>(components);
      InterfaceSum sum(comm, plan, components, strategy);
      CHECK((strategy == SumStrategy::automatic) == (sum.strategy() != strategy));
      for (int round = 0; round < (comm.size() > 64 ? 1 : 3); ++round) {
        std::vector<double> values = parts(comm, ids, width, round);
        const std::vector<double> wanted = expected(sharing, ids, width, round);
        sum.begin(values);
        for (int looks = 0; looks < 40 * round; ++looks) { // as work between the halves does
          sum.progress(values);
        }
        sum.finish(values);
        int different = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          different += sum.strategy() == SumStrategy::allreduce
                           ? std::abs(values[i] - wanted[i]) > 1e-9
                           : values[i] != wanted[i];
        }
        CAPTURE(exchange::to_string(strategy));
        CHECK(different == 0);
      }
    }
  }
}

} // namespace

TEST_CASE("every strategy sums what the sharers have, on random patterns") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  for (unsigned seed = 1; seed <= (comm.size() > 64 ? 1 : comm.size() > 4 ? 2 : 12); ++seed) {
    CAPTURE(seed);
    check_sums(comm, random_sharing(comm.size(), seed));
  }
  CHECK(open_handles() == before);
}

TEST_CASE("a node that all ranks share, no shared node, no node at all") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Sharing all;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int group = rank / 64; // of simulated ranks
    all[7 + group].push_back(rank);
    all[(GlobalIndex{1} << 40) + group].push_back(rank);
    all[100 + rank].push_back(rank);
  }
  check_sums(comm, all);
  Sharing apart;
  for (int rank = 0; rank < comm.size(); ++rank) {
    apart[1000 - rank].push_back(rank);
  }
  check_sums(comm, apart);
  check_sums(comm, {});
}

TEST_CASE("a serial communicator sums without MPI") {
  const comm::Comm serial;
  const std::vector<GlobalIndex> ids = {2, 5};
  const InterfacePlan plan = exchange::make_interface_plan(serial, ids);
  std::vector<double> values = {3, 4};
  for (const SumStrategy strategy : strategies) {
    InterfaceSum sum(serial, plan, 1, strategy);
    sum(values);
  }
  CHECK(values == std::vector<double>{3, 4});
  CHECK(exchange::owned_dot(serial, plan, 1, values, values) == 25);
}

TEST_CASE("what nobody shares may change between the halves, and a sum needs no allocation") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Sharing sharing = random_sharing(comm.size(), 99);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  std::vector<double> values(ids.size(), 1.0);
  for (const SumStrategy strategy : strategies) {
    InterfaceSum sum(comm, plan, 1, strategy);
    const long before = num_allocations();
    std::fill(values.begin(), values.end(), 1.0);
    sum.begin(values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] += sharing.at(ids[i]).size() == 1 ? 5 : 0;
      sum.progress(values);
    }
    sum.finish(values);
    CHECK(num_allocations() == before);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto sharers = static_cast<double>(sharing.at(ids[i]).size());
      CHECK(values[i] == (sharers == 1 ? 6 : sharers));
    }
  }
}

TEST_CASE("two sums under way on one communicator do not mix") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Sharing sharing = random_sharing(comm.size(), 5);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  for (const SumStrategy strategy : {SumStrategy::one_round, SumStrategy::shared_memory}) {
    InterfaceSum flow(comm, plan, 3, strategy);
    InterfaceSum transport(comm, plan, 1, strategy);
    std::vector<double> velocity = parts(comm, ids, 3, 1);
    std::vector<double> temperature = parts(comm, ids, 1, 2);
    flow.begin(velocity);
    transport.begin(temperature);
    flow.finish(velocity);
    transport.finish(temperature);
    CHECK(velocity == expected(sharing, ids, 3, 1));
    CHECK(temperature == expected(sharing, ids, 1, 2));
  }
}

TEST_CASE("a sum that is begun and not finished leaves nothing open") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const Sharing sharing = random_sharing(comm.size(), 8);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  const std::vector<double> values(ids.size(), 1.0);
  for (const SumStrategy strategy : strategies) {
    InterfaceSum sum(comm, plan, 1, strategy);
    sum.begin(values);
  }
  CHECK(open_handles() == before);
}

TEST_CASE("one round sends one message per neighbour, two stages at most two") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Sharing sharing = random_sharing(comm.size(), 3);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  std::int64_t ghosts = 0;
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    ghosts += static_cast<std::int64_t>(neighbour.nodes.size());
  }
  const exchange::SumCost one = InterfaceSum(comm, plan, 2, SumStrategy::one_round).cost();
  CHECK(one.messages == static_cast<std::int64_t>(plan.neighbours.size()));
  CHECK(one.bytes == 16 * ghosts);
  const exchange::SumCost two = InterfaceSum(comm, plan, 2, SumStrategy::two_stage).cost();
  CHECK(two.messages <= 2 * one.messages);
  const bool alone = comm.size() == 1;
  CHECK(one.rounds == (alone ? 0 : 1));
  CHECK(two.rounds == (alone ? 0 : 2));
}

TEST_CASE("automatic shares memory on one computer, and progress says when nothing is under way") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Sharing sharing = random_sharing(comm.size(), 4);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  const bool is_simulated = comm.size() > 4; // simulated ranks do not look, and share no memory
  CHECK((InterfaceSum(comm, plan, 1).strategy() == SumStrategy::shared_memory) ==
        (comm.size() > 1 && !is_simulated));
  for (const SumStrategy strategy : strategies) {
    InterfaceSum sum(comm, plan, 1, strategy);
    std::vector<double> values(ids.size(), 1.0);
    sum.begin(values);
    bool is_there = sum.progress(values);
    while (!is_there && !is_simulated) {
      is_there = sum.progress(values);
    }
    CHECK((is_there || is_simulated));
    sum.finish(values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(values[i] == static_cast<double>(sharing.at(ids[i]).size()));
    }
  }
}

TEST_CASE("automatic takes a reduction for a node that very many share") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<GlobalIndex> ids = {1 + comm.rank() / 64};
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  const SumStrategy strategy = InterfaceSum(comm, plan, 1).strategy();
  CHECK((strategy == SumStrategy::allreduce) == (comm.size() >= 64));
}
