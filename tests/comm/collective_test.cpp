// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/mpi_operation.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

void check_reductions(const Comm& comm) {
  const int r = comm.rank();
  const int n = comm.size();
  CHECK(allreduce(comm, r, Op::sum) == n * (n - 1) / 2);
  CHECK(allreduce(comm, std::int64_t{1} << (40 + r % 2), Op::max) == std::int64_t{1}
                                                                         << (n > 1 ? 41 : 40));
  CHECK(allreduce(comm, std::uint64_t{1} << r % 64, Op::bit_or) ==
        (n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1));
  std::vector<double> pair{1.0 * r, -1.0 * r};
  allreduce(comm, std::span(pair), Op::min);
  CHECK(pair == std::vector<double>{0.0, 1.0 - n});

  // 2^60 on rank 0 and -2^60 on the last do not swallow the small terms
  const double large = std::ldexp(n == 1 ? 0 : r == 0 ? 1 : r == n - 1 ? -1 : 0, 60);
  std::vector<Twofold> sums{exact_sum(large, 0.1), {0.25 * r, 0}};
  allreduce_sum(comm, sums);
  CHECK(sums[0].value == doctest::Approx(0.1 * n).epsilon(1e-14));
  CHECK(sums[1].value == 0.125 * n * (n - 1));
  const auto all_sums = allgather(comm, sums[0].rest);
  CHECK(std::equal(all_sums.begin() + 1, all_sums.end(), all_sums.begin()));

  std::vector<double> least{1.0 - r, 3.0};
  std::vector<double> greatest{2.0 * r, -1.0 * r};
  allreduce_bounds(comm, least, greatest);
  CHECK(least == std::vector<double>{2.0 - n, 3});
  CHECK(greatest == std::vector<double>{2.0 * (n - 1), 0});

  std::vector<LargestAndSum> both{{1.0 * (r % 3), 1.0 * r}, {-1.0 * r, 0.5}, {}};
  allreduce(comm, std::span(both));
  CHECK(both[0].largest == std::min(n - 1, 2));
  CHECK(both[0].sum == 0.5 * n * (n - 1));
  CHECK(both[1].largest == 0);
  CHECK(both[1].sum == 0.5 * n);
  CHECK(both[2].largest == -std::numeric_limits<double>::infinity());
  CHECK(both[2].sum == 0);

  std::vector<LargestAndSum> at_root{{1.0 * r, 1.0}};
  reduce_to_root(comm, at_root);
  CHECK((r > 0 || (at_root[0].largest == n - 1 && at_root[0].sum == n)));
  CHECK(exscan(comm, 3) == 3 * r);
}

void check_broadcasts_and_gathers(const Comm& comm) {
  const int r = comm.rank();
  const int n = comm.size();
  const int root = n - 1;
  std::vector<int> numbers(r == root ? 5 : r);
  std::iota(numbers.begin(), numbers.end(), 7);
  bcast(comm, numbers, root);
  CHECK(numbers == std::vector<int>{7, 8, 9, 10, 11});
  std::string text = r == root ? "to all" : "mine";
  bcast(comm, text, root);
  CHECK(text == "to all");
  CHECK(bcast(comm, 10 * r, root) == 10 * root);

  const std::vector<int> part(static_cast<std::size_t>(r % 3), r);
  for (const bool everywhere : {false, true}) {
    const auto all = everywhere ? allgather<int>(comm, part) : gather<int>(comm, part, root);
    if (everywhere || r == root) {
      for (int other = 0; other < n; ++other) {
        const auto piece = all.of(other);
        CHECK(std::vector<int>(piece.begin(), piece.end()) ==
              std::vector<int>(static_cast<std::size_t>(other % 3), other));
      }
    } else {
      CHECK(all.values.empty());
    }
  }
  CHECK(allgather(comm, r).back() == n - 1);
}

/// Everything that must hold on a communicator of any size, the serial one included.
void check_collectives(const Comm& comm) {
  check_reductions(comm);
  check_broadcasts_and_gathers(comm);
  barrier(comm);
}

} // namespace

TEST_CASE("collectives on all ranks") {
  check_collectives(Comm(MPI_COMM_WORLD));
}

TEST_CASE("a serial communicator needs no partner") {
  check_collectives(Comm());
}

TEST_CASE("MPI reduces values of several numbers by an operation of ours") {
  const auto longer = [](void* in, void* inout, int* count, MPI_Datatype*) { // the lower at a tie
    for (int i = 0; i < *count; ++i) {
      const int* const one = static_cast<const int*>(in) + 2 * i;
      int* const best = static_cast<int*>(inout) + 2 * i;
      if (one[0] > best[0] || (one[0] == best[0] && one[1] < best[1])) {
        std::copy_n(one, 2, best);
      }
    }
  };
  const Comm world(MPI_COMM_WORLD);
  const MpiOperation operation(2, MPI_INT, longer);
  const int half = world.size() / 2;
  std::array values{std::min(world.rank(), half), world.rank(), 7, world.rank()};
  MPI_Allreduce(MPI_IN_PLACE, values.data(), 2, operation.type(), operation.op(), world.raw());
  CHECK(values == std::array{half, half, 7, 0});
}

TEST_CASE("what throws on one rank throws on all") {
  const Comm world(MPI_COMM_WORLD);
  const int last = world.size() - 1;
  CHECK_NOTHROW(agree(world, [] {}));
  const std::string expected = last == 0 ? "no" : fmt::format("rank {}: no", last);
  CHECK(error_of([&] { agree(world, [&] { check(world.rank() != last, "no"); }); }) == expected);
  CHECK(error_of([&] { agree(world, [&] { fail("rank {} fails", world.rank()); }); }) ==
        "rank 0 fails");
  const auto foreign = [&] { // an exception that nobody foresaw
    agree(world, [&] {
      if (world.rank() == last) {
        static_cast<void>(std::string().at(1));
      }
    });
  };
  CHECK(error_of(foreign).find("inside of the library") != std::string::npos);
}
