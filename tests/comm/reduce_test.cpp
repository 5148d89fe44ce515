// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/reduce.hpp"

#include "handles.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace isthmus;

namespace {

double value_of(int rank, int k) {
  return 1.0 / (rank + 1) + 1e-9 * k;
}

} // namespace

TEST_CASE("a reduction sums, with the same bits on all ranks and in every run") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int open = open_handles().requests;
  comm::Reduction reduction(comm, 3);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> parts{value_of(comm.rank(), round), 1, -value_of(comm.rank(), 0)};
    reduction.begin(parts);
    CHECK(reduction.under_way());
    for (int call = 0; call < (comm.rank() + round) % 5; ++call) {
      reduction.progress();
    }
    const auto sums = reduction.finish();
    CHECK_FALSE(reduction.under_way());
    comm::allreduce(comm, std::span(parts), comm::Op::sum);
    CHECK(sums[0] == doctest::Approx(parts[0]).epsilon(1e-14));
    CHECK(sums[1] == comm.size());
    CHECK(sums[2] == doctest::Approx(parts[2]).epsilon(1e-14));
    const auto bits = std::bit_cast<std::int64_t>(sums[0]);
    CHECK(comm::allreduce(comm, bits, comm::Op::min) == comm::allreduce(comm, bits, comm::Op::max));
    const double again = reduction.sum(std::vector{value_of(comm.rank(), round)}).front();
    CHECK(std::bit_cast<std::int64_t>(again) == bits);
  }
  CHECK(open_handles().requests == open);
}

TEST_CASE("a rank sends one message for each doubling of the ranks and at most two more") {
  const comm::Comm comm(MPI_COMM_WORLD);
  comm::Reduction reduction(comm, 1);
  (void)reduction.sum(std::vector{1.0});
  const int doublings = std::bit_width(static_cast<unsigned>(comm.size())) - 1;
  CHECK(reduction.counts().reductions == 1);
  CHECK(reduction.counts().messages <= doublings + 1);
  CHECK(reduction.num_stages() <= doublings + 2);
  const auto sent = comm::allreduce(comm, reduction.counts().messages, comm::Op::sum);
  const int places = 1 << doublings;
  CHECK(sent == places * doublings + 2 * (comm.size() - places));
}

TEST_CASE("reductions of different streams may be under way at once") {
  const comm::Comm comm(MPI_COMM_WORLD);
  comm::Reduction ones(comm, 1, 0);
  comm::Reduction twos(comm, 1, 1);
  ones.begin(std::vector{1.0});
  twos.begin(std::vector{2.0});
  twos.progress();
  CHECK(twos.finish().front() == 2.0 * comm.size());
  CHECK(ones.finish().front() == comm.size());
}

TEST_CASE("a serial communicator needs no MPI") {
  const comm::Comm serial;
  comm::Reduction reduction(serial, 2);
  CHECK(reduction.num_stages() == 0);
  CHECK(reduction.sum(std::vector{3.0, 4.0})[1] == 4.0);
}

TEST_CASE("misuse of a reduction is reported") {
  const comm::Comm serial;
  comm::Reduction reduction(serial, 1);
  CHECK_THROWS_AS((void)reduction.finish(), Error);
  CHECK_THROWS_AS(reduction.begin(std::vector{1.0, 2.0}), Error);
  reduction.begin(std::vector{1.0});
  CHECK_THROWS_AS(reduction.begin(std::vector{1.0}), Error);
  CHECK_THROWS_AS(comm::Reduction(serial, 1, 8), Error);
}
