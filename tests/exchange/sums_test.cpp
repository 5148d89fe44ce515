// SPDX-License-Identifier: BSD-3-Clause
// The ways of InterfaceSum, each alone; what they sum on many patterns is in interface_sum_test.
#include "exchange/sharing.hpp"
#include "handles.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/sums/sum_collective.hpp"
#include "isthmus/exchange/sums/sum_messages.hpp"
#include "isthmus/exchange/sums/sum_node.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using exchange::InterfacePlan;
using exchange::SumCost;

namespace {

/// Whole numbers: sums are exact in any order.
std::vector<double> parts(int rank, const std::vector<GlobalIndex>& ids, std::size_t width,
                          int round) {
  std::vector<double> values;
  for (const GlobalIndex id : ids) {
    for (std::size_t c = 0; c < width; ++c) {
      values.push_back(static_cast<double>(id % 1000) + 7.0 * rank + 3.0 * static_cast<double>(c) +
                       11.0 * round);
    }
  }
  return values;
}

std::vector<double> sums(const Sharing& sharing, const std::vector<GlobalIndex>& ids,
                         std::size_t width, int round) {
  std::vector<double> all;
  for (const GlobalIndex id : ids) {
    std::vector<double> sum(width, 0.0);
    for (const int rank : sharing.at(id)) {
      const std::vector<double> part = parts(rank, {id}, width, round);
      for (std::size_t c = 0; c < width; ++c) {
        sum[c] += part[c];
      }
    }
    all.insert(all.end(), sum.begin(), sum.end());
  }
  return all;
}

template <typename Way>
void check_sums(const comm::Comm& comm, const Sharing& sharing) {
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  for (const int components : {1, 2}) {
    const auto width = static_cast<std::size_t>(components);
    Way way(comm, plan, components);
    for (int round = 0; round < 3; ++round) {
      std::vector<double> values = parts(comm.rank(), ids, width, round);
      way.begin(values);
      for (int looks = 0; looks < 10 * round; ++looks) {
        way.progress(values);
      }
      way.finish(values);
      CHECK(values == sums(sharing, ids, width, round));
    }
  }
}

std::int64_t num_steps(int ranks) {
  std::int64_t steps = 0;
  while ((1 << steps) < ranks) {
    ++steps;
  }
  return steps;
}

void check_cost(const SumCost& cost, int rounds, std::int64_t messages, std::int64_t bytes) {
  CHECK(cost.rounds == rounds);
  CHECK(cost.messages == messages);
  CHECK(cost.bytes == bytes);
}

} // namespace

TEST_CASE("messages between sharers sum in one round, or through the owner") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const Sharing sharing = random_sharing(comm.size(), 21);
  check_sums<exchange::OneRound>(comm, sharing);
  check_sums<exchange::TwoStage>(comm, sharing);
  CHECK(open_handles() == before);
}

TEST_CASE("collective operations sum the interface") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const Sharing sharing = random_sharing(comm.size(), 22);
  check_sums<exchange::AllreduceSum>(comm, sharing);
  check_sums<exchange::AllgatherSum>(comm, sharing);
  CHECK(open_handles() == before);
}

TEST_CASE("what a sum costs is what its algorithm sends") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int n = comm.size();
  // node 5 is everybody's; node 100 + r belongs to rank r and the one behind it
  std::vector<GlobalIndex> ids{5};
  const bool has_before = comm.rank() > 0;
  const bool has_behind = comm.rank() + 1 < n;
  if (has_before) {
    ids.push_back(100 + comm.rank() - 1);
  }
  if (has_behind) {
    ids.push_back(100 + comm.rank());
  }
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  const std::int64_t beside = (has_before ? 1 : 0) + (has_behind ? 1 : 0);
  const std::int64_t others = n - 1;
  constexpr int components = 3;
  constexpr std::int64_t bytes = 8 * components;
  check_cost(exchange::OneRound(comm, plan, components).cost(), 1, others,
             bytes * (others + beside));
  // up: node 5 to rank 0, the other to the rank before, which may be the same; down: back
  const std::int64_t up = comm.is_root() ? 0 : comm.rank() == 1 ? 1 : 2;
  const std::int64_t down = comm.is_root() ? others : has_behind ? 1 : 0;
  const std::int64_t up_nodes = (comm.is_root() ? 0 : 1) + (has_before ? 1 : 0);
  const std::int64_t down_nodes = (comm.is_root() ? others : 0) + (has_behind ? 1 : 0);
  check_cost(exchange::TwoStage(comm, plan, components).cost(), 2, up + down,
             bytes * (up_nodes + down_nodes));
  const std::int64_t interface = n > 1 ? n : 0;             // nodes
  const std::int64_t partial = n > 1 ? n + 2 * (n - 1) : 0; // partial sums of all ranks
  check_cost(exchange::AllreduceSum(comm, plan, components).cost(),
             static_cast<int>(2 * num_steps(n)), 2 * num_steps(n),
             2 * (bytes * interface * (n - 1) / n));
  check_cost(exchange::AllgatherSum(comm, plan, components).cost(), static_cast<int>(num_steps(n)),
             num_steps(n), bytes * partial * (n - 1) / n);
  const exchange::Halo halo({{(comm.rank() + 1) % n, {0, 2}}}, {{(comm.rank() + n - 1) % n, 2}});
  check_cost(exchange::message_cost(halo, components), 1, 1, 2 * bytes);
  check_cost(exchange::message_cost(exchange::Halo(), components), 1, 0, 0);
}

TEST_CASE("a collective operation under way ends with its owner") {
  const comm::Comm comm(MPI_COMM_WORLD);
  exchange::Collective sum(comm, 0, 2);
  CHECK(sum.part().empty());
  CHECK(sum.size() == 2);
  sum.finish();           // nothing is under way
#ifndef ISTHMUS_SIMULATED // which starts collectives naively
  sum.all()[0] = 1;
  sum.all()[1] = comm.rank();
  MPI_Iallreduce(MPI_IN_PLACE, sum.all().data(), 2, MPI_DOUBLE, MPI_SUM, comm.raw(), sum.request());
  sum.finish();
  CHECK(sum.all()[0] == comm.size());
  CHECK(sum.all()[1] == comm.size() * (comm.size() - 1) / 2);
  CHECK(*sum.request() == MPI_REQUEST_NULL);
  {
    exchange::Collective left(comm, 0, 1);
    MPI_Iallreduce(MPI_IN_PLACE, left.all().data(), 1, MPI_DOUBLE, MPI_SUM, comm.raw(),
                   left.request());
  }
  CHECK(comm::allreduce(comm, 1, comm::Op::sum) == comm.size()); // it works as before
#endif
}

#ifndef ISTHMUS_SIMULATED // where ranks do not share memory
TEST_CASE("ranks of one computer read each other's partial sums") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const Sharing sharing = random_sharing(comm.size(), 23);
  check_sums<exchange::NodeSum>(comm, sharing);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  check_cost(exchange::NodeSum(comm, plan, 1).cost(), 1, 0, 0); // all of them are on this one
  CHECK(open_handles() == before);
}
#endif
