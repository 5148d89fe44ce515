// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/vector.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/la/operator.hpp"
#include "isthmus/la/overlap.hpp"
#include "problems.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace isthmus;
using namespace isthmus::la;

namespace {

std::vector<double> wave(std::size_t n, double factor) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = std::sin(factor * static_cast<double>(i + 1));
  }
  return values;
}

using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;

/// Whether the pieces follow each other from 0 to n.
bool covers(const Pieces& pieces, std::size_t n) {
  std::size_t next = 0;
  for (const auto& [first, last] : pieces) {
    if (first != next || last < first) {
      return false;
    }
    next = last;
  }
  return next == n;
}

} // namespace

TEST_CASE("local sums are those of long doubles but for rounding, of any length and any part") {
  for (const std::size_t n : {0, 1, 3, 4, 7, 64, 1027}) {
    const auto x = wave(n, 1.3);
    const auto y = wave(n, 0.7);
    for (const std::size_t first : {std::size_t{0}, n / 3}) {
      long double dot = 0;
      long double absolute = 0;
      for (std::size_t i = first; i < n; ++i) {
        dot += static_cast<long double>(x[i]) * y[i];
        absolute += std::abs(static_cast<long double>(x[i]));
      }
      CHECK(std::abs(local_dot(x, y, first, n) - static_cast<double>(dot)) < 1e-13 * (n + 1.0));
      CHECK(local_sum_abs(x, first, n) == doctest::Approx(static_cast<double>(absolute)));
    }
    CHECK(local_dot(x, y) == local_dot(x, y, 0, n));
  }
  CHECK(local_sum(std::vector<double>{1, 2, 3, 4, 5}) == 15);
}

TEST_CASE("a product of distributed vectors is that of the whole ones") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr std::size_t n = 50;
  const auto x = wave(n, 0.9);
  const std::size_t first = la::testing::first_of(n, comm.rank(), comm.size());
  const std::size_t last = la::testing::first_of(n, comm.rank() + 1, comm.size());
  const std::span<const double> own = std::span(x).subspan(first, last - first);
  comm::Reduction reduction(comm, 1);
  const double part = local_dot(own, own);
  const double sum = reduction.sum(std::span(&part, 1)).front();
  CHECK(sum == doctest::Approx(local_dot(x, x)).epsilon(1e-14));
}

TEST_CASE("blocks and pieces cover every entry once") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, block_length, 3 * block_length + 1}) {
    Pieces blocks;
    in_blocks(n, [&](std::size_t first, std::size_t last) { blocks.emplace_back(first, last); });
    CHECK(covers(blocks, n));
    CHECK(blocks.size() == (n + block_length - 1) / block_length);
    for (const int calls : {0, 1, 4}) {
      Pieces pieces;
      in_pieces(n, {nullptr, calls},
                [&](std::size_t first, std::size_t last) { pieces.emplace_back(first, last); });
      CHECK(covers(pieces, n));
      CHECK(pieces.size() == static_cast<std::size_t>(std::max(1, calls)));
    }
  }
}

TEST_CASE("a loop beside a reduction moves it on until it has ended") {
  const comm::Comm comm(MPI_COMM_WORLD);
  comm::Reduction reduction(comm, 1);
  const double one = 1;
  reduction.begin(std::span(&one, 1));
  in_pieces(100, Overlap{&reduction, 20}, [](std::size_t, std::size_t) {});
  CHECK((reduction.counts().polls > 0) == (comm.size() > 1)); // it may end before the loop does
  CHECK(reduction.counts().polls <= 20);
  CHECK(reduction.finish().front() == comm.size());
  CHECK(Overlap{&reduction, 8}.part(0.5).calls == 5);
}

TEST_CASE("the identity copies in pieces") {
  const auto r = wave(33, 0.4);
  std::vector<double> z(r.size(), 9);
  Identity().apply(r, z, {nullptr, 4});
  CHECK(z == r);
}
