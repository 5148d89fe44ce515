// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_plan.hpp"

#include "exchange/sharing.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace isthmus;
using exchange::InterfacePlan;

namespace {

void check_plan(const comm::Comm& comm, const Sharing& sharing) {
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  REQUIRE(plan.num_nodes == static_cast<LocalIndex>(ids.size()));
  std::size_t next = 0; // shared node
  std::size_t num_foreign = 0;
  std::map<int, std::vector<LocalIndex>> nodes;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<int>& sharers = sharing.at(ids[i]);
    if (sharers.size() == 1) {
      continue;
    }
    REQUIRE(next < plan.shared.size());
    CHECK(plan.shared[next] == static_cast<LocalIndex>(i));
    CHECK(std::ranges::equal(plan.sharers_of(next), sharers));
    num_foreign += plan.owner_of(next) != comm.rank() ? 1 : 0;
    for (const int rank : sharers) {
      if (rank != comm.rank()) {
        nodes[rank].push_back(static_cast<LocalIndex>(i));
      }
    }
    ++next;
  }
  CHECK(next == plan.shared.size());
  CHECK(num_foreign == plan.foreign.size());
  REQUIRE(plan.neighbours.size() == nodes.size());
  for (const InterfacePlan::Neighbour& neighbour : plan.neighbours) {
    CHECK(neighbour.nodes == nodes.at(neighbour.rank));
    const std::vector<GlobalIndex> others = nodes_of(sharing, neighbour.rank);
    std::vector<GlobalIndex> shared;
    std::copy_if(others.begin(), others.end(), std::back_inserter(shared),
                 [&](GlobalIndex id) { return sharing.at(id).size() > 1; });
    for (std::size_t k = 0; k < neighbour.nodes.size(); ++k) {
      CHECK(shared[static_cast<std::size_t>(neighbour.theirs[k])] ==
            ids[static_cast<std::size_t>(neighbour.nodes[k])]);
    }
  }
}

} // namespace

TEST_CASE("a plan knows the sharers of every node, on random patterns") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    check_plan(comm, random_sharing(comm.size(), seed));
  }
  check_plan(comm, {});
}

TEST_CASE("a dot product counts every node once") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Sharing sharing = random_sharing(comm.size(), 12);
  const std::vector<GlobalIndex> ids = nodes_of(sharing, comm.rank());
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids);
  std::vector<double> x;
  for (const GlobalIndex id : ids) {
    x.push_back(static_cast<double>(id % 10));
    x.push_back(2);
  }
  double wanted = 0;
  for (const auto& [id, sharers] : sharing) {
    wanted += static_cast<double>((id % 10) * (id % 10)) + 4;
  }
  CHECK(exchange::owned_dot(comm, plan, 2, x, x) == wanted);
}

TEST_CASE("ids in the wrong order on one rank fail on all") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<GlobalIndex> ids = {4, 9};
  if (comm.rank() == comm.size() - 1) {
    ids = {4, 4};
  }
  CHECK_THROWS_WITH_AS(exchange::make_interface_plan(comm, ids), doctest::Contains("sort the ids"),
                       Error);
}

TEST_CASE("no rank receives more than its share of announcements") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr GlobalIndex edge = 640; // ids of a rank, the last ones are those of the next rank
  std::vector<GlobalIndex> ids;
  for (GlobalIndex k = 0; k <= edge; ++k) {
    ids.push_back(comm.rank() * edge + k);
  }
  comm::Traffic traffic;
  const InterfacePlan plan = exchange::make_interface_plan(comm, ids, &traffic);
  const int rank = comm.rank();
  CHECK(plan.neighbours.size() == std::size_t(rank > 0) + std::size_t(rank + 1 < comm.size()));
  const auto most = comm::allreduce(comm, traffic.received, comm::Op::max);
  CHECK(most <= 120);
}
