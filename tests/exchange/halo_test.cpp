// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/halo.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <vector>

using namespace isthmus;

TEST_CASE("every rank gets the entries that its ring neighbours list for it") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int size = comm.size();
  if (size == 1) {
    CHECK(exchange::Halo().empty());
    return;
  }
  // rank r sends entries 1 and 0 to the next rank
  const int next = (comm.rank() + 1) % size;
  const int before = (comm.rank() + size - 1) % size;
  exchange::Halo halo({{next, {1, 0}}}, {{before, 2}});
  for (int components : {1, 3, 2}) {
    const auto width = static_cast<std::size_t>(components);
    std::vector<double> values(2 * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 100.0 * comm.rank() + static_cast<double>(i);
    }
    std::vector<double> copies(2 * width, -1);
    halo.forward(comm, components, values, copies);
    for (std::size_t c = 0; c < width; ++c) {
      CHECK(copies[c] == 100.0 * before + static_cast<double>(width + c));
      CHECK(copies[width + c] == 100.0 * before + static_cast<double>(c));
    }
  }
}
