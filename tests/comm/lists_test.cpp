// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/lists.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <vector>

using namespace isthmus;

TEST_CASE("lists come by source, empty ones and the own one, too") {
  const comm::Comm comm(MPI_COMM_WORLD);
  comm::Lists<int> outgoing; // to this rank and all later ones; nothing in that for the last
  for (int to = comm.rank(); to < comm.size(); ++to) {
    if (to + 1 < comm.size()) {
      outgoing[to] = {comm.rank(), 10 * to};
    } else {
      outgoing[to] = {};
    }
  }
  comm::Lists<int> expected;
  for (int from = 0; from <= comm.rank(); ++from) {
    expected[from] = comm.rank() + 1 < comm.size() ? std::vector<int>{from, 10 * comm.rank()}
                                                   : std::vector<int>();
  }
  CHECK((comm::swap_lists(comm, outgoing) == expected));
  std::vector<int> all{-1};
  comm::append(expected, all);
  CHECK(all.size() == (comm.rank() + 1 < comm.size() ? 2 * expected.size() + 1 : 1));
  CHECK(all.front() == -1);
}
