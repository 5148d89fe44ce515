// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/slabs/slab.hpp"

#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace isthmus;
using discrete::Slab;

TEST_CASE("slabs have all layers of the box once, and those around them from their neighbours") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr int length = 4;
  const int n = std::max(3, (comm.size() + 1) / 2); // two layers for each rank
  Slab slab(comm, length, n);
  CHECK(slab.layers() >= 2);
  CHECK(slab.first() == comm::exscan(comm, slab.layers()));
  CHECK(comm::allreduce(comm, slab.layers(), comm::Op::sum) == length * n);
  const auto value = [&slab](int i, int j, int k, int c) { // by place in the box
    return 1000.0 * (slab.first() + i) + 100 * j + 10 * k + c;
  };
  for (const int components : {1, 4}) {
    const auto width = static_cast<std::size_t>(components);
    std::vector<double> values(slab.size() * width, -1);
    std::size_t cells = 0;
    slab.for_cells([&](int i, int j, int k) {
      for (std::size_t c = 0; c < width; ++c) {
        values[slab.at(i, j, k) * width + c] = value(i, j, k, static_cast<int>(c));
      }
      ++cells;
    });
    CHECK(cells == static_cast<std::size_t>(slab.layers() * n * n));
    slab.exchange(components, values);
    for (const int i : {0, slab.layers() + 1}) {
      const bool is_wall = i == 0 ? slab.has_left_wall() : slab.has_right_wall();
      for (int j = 1; j <= n; ++j) {
        for (int k = 1; k <= n; ++k) {
          for (std::size_t c = 0; c < width; ++c) {
            CHECK(values[slab.at(i, j, k) * width + c] ==
                  (is_wall ? -1 : value(i, j, k, static_cast<int>(c))));
          }
        }
      }
    }
  }
}
