// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/interface_sum.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

using isthmus::GlobalIndex;
using isthmus::LocalIndex;

TEST_CASE("the example of docs/kit/exchange.md") {
  std::vector<GlobalIndex> ids(10); // all ranks touch the same nodes
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<double> values(3 * ids.size(), 0.0);
  const auto add_elements_at_shared_nodes = [](const std::vector<LocalIndex>& nodes,
                                               std::vector<double>& to) {
    for (const LocalIndex node : nodes) {
      to[3 * static_cast<std::size_t>(node)] = 1;
    }
  };
  const auto add_other_elements = [](std::vector<double>&) {};

  const isthmus::comm::Comm comm(MPI_COMM_WORLD);
  const auto plan = isthmus::exchange::make_interface_plan(comm, ids);
  isthmus::exchange::InterfaceSum sum(comm, plan, 3); // 3 values per node

  add_elements_at_shared_nodes(plan.shared, values);
  sum.begin(values);          // partial sums of shared nodes leave
  add_other_elements(values); // meanwhile
  sum.finish(values);         // now they are sums, the same bits on all sharers

  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(values[i] == (i % 3 == 0 && comm.size() > 1 ? comm.size() : 0));
  }
}
