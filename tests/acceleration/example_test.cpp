// SPDX-License-Identifier: BSD-3-Clause
// The example of docs/acceleration.md.
#include "isthmus/acceleration/make.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

/// x = cos(x) by one rank; over several, every rank holds a part of x.
int iterations(const isthmus::comm::Comm& comm) {
  using namespace isthmus::acceleration;
  const auto newton = make_iqn_ils({.initial_relaxation = 0.5}, comm);
  newton->initialize({{"x", 1}});
  std::vector<double> x{0.0};
  for (int k = 1; k < 50; ++k) {
    std::vector<double> h{std::cos(x[0])};
    const Iterate field{x, h};
    std::vector<isthmus::Twofold> sums;
    newton->measure({&field, 1}, sums);       // local
    isthmus::comm::allreduce_sum(comm, sums); // the only reduction
    newton->absorb(sums);
    if (newton->norms()[0].residual < 1e-12) {
      newton->complete_window();
      return k;
    }
    newton->improve({&field, 1}); // h is the next x
    x = h;
  }
  return 50;
}

} // namespace

TEST_CASE("the example of the documentation converges") {
  CHECK(iterations(isthmus::comm::Comm(MPI_COMM_WORLD)) < 9);
}
