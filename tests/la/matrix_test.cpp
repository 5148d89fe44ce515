// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/matrix.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/global_ids.hpp"
#include "la/problems.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

TEST_CASE("a product is that of the whole matrix, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const comm::Comm serial;
  for (const std::size_t n : {1, 3, 10}) {
    Matrix matrix = make_matrix(comm, convection(comm, n, 0.7));
    Matrix whole = make_matrix(serial, convection(serial, n, 0.7));
    std::vector<double> y(static_cast<std::size_t>(matrix.num_rows()));
    matrix.apply(noise(matrix), y);
    std::vector<double> expected(n * n);
    whole.apply(noise(whole), expected);
    for (std::size_t i = 0; i < y.size(); ++i) {
      CHECK(y[i] == doctest::Approx(expected[static_cast<std::size_t>(matrix.first_row()) + i]));
    }
    const GlobalRows rows = matrix.global_rows();
    const GlobalRows given = merged(convection(comm, n, 0.7));
    CHECK(rows.columns == given.columns);
    CHECK(rows.values == given.values);
  }
}

TEST_CASE("all rows on the last rank, and one row that all others lack") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const bool last = comm.rank() == comm.size() - 1;
  GlobalRows rows;
  for (GlobalIndex i = 0; last && i < 5; ++i) {
    rows.add(4 - i, 2);
    rows.end_row();
  }
  Matrix matrix = make_matrix(comm, rows);
  const std::vector<double> x(last ? std::vector<double>{0, 1, 2, 3, 4} : std::vector<double>{});
  std::vector<double> y(x.size());
  matrix.apply(x, y);
  CHECK(y == (last ? std::vector<double>{8, 6, 4, 2, 0} : std::vector<double>{}));
}

TEST_CASE("owners are found where numbers lie unevenly") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto count = [](int rank) { return rank % 3 == 1 ? 0 : 7 * rank + 1; };
  const Range range = number(comm, count(comm.rank()));
  std::vector<GlobalIndex> ids;
  std::vector<int> expected;
  GlobalIndex first = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (int i = 0; i < count(rank); i += 3) {
      ids.push_back(first + i);
      expected.push_back(rank);
    }
    first += count(rank);
  }
  CHECK(range.total == first);
  CHECK(owners(comm, range, ids) == expected);
}

TEST_CASE("a column that does not exist fails on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  GlobalRows rows;
  rows.add(comm.rank() == 0 ? comm.size() : 0, 1);
  rows.end_row();
  CHECK_THROWS_AS((void)make_matrix(comm, rows), Error);
}
