// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/low_rank.hpp"

#include "isthmus/acceleration/quasi_newton/multi_vector.hpp"
#include "isthmus/acceleration/quasi_newton/secants.hpp"
#include "iterate.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

using Matrix = Eigen::MatrixXd;

constexpr std::size_t num_left = 23;
constexpr std::size_t num_right = 17;

double entry(std::size_t i, std::size_t j) {
  return std::sin(1.3 * static_cast<double>((i + 1) * (j + 2)));
}

/// Of this rank: columns that are sums of `rank` others.
Columns dependent(std::size_t count, std::size_t rank, std::size_t seed, const Share& share) {
  Columns columns(share.end - share.begin);
  for (std::size_t j = 0; j < count; ++j) {
    const auto column = columns.push();
    for (std::size_t i = share.begin; i < share.end; ++i) {
      for (std::size_t k = 0; k < rank; ++k) {
        column[i - share.begin] +=
            entry(i, seed + k) * std::cos(static_cast<double>((j + 1) * (k + 1)));
      }
    }
  }
  return columns;
}

/// All rows, on every rank.
Matrix whole(const comm::Comm& comm, const Columns& columns, std::size_t rows) {
  Matrix matrix(rows, columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto values = together(comm, Vector(columns[j].begin(), columns[j].end()));
    REQUIRE(values.size() == rows);
    matrix.col(static_cast<Eigen::Index>(j)) =
        Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(rows));
  }
  return matrix;
}

Matrix product(const comm::Comm& comm, const LowRank& matrix) {
  return whole(comm, matrix.left, num_left) * whole(comm, matrix.right, num_right).transpose();
}

} // namespace

TEST_CASE("a matrix that is compressed stays the same with as few columns as it needs") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Share left(comm, num_left);
  const Share right(comm, num_right);
  const std::vector<Scale> left_scales{{0, left.end - left.begin, 3}};
  const std::vector<Scale> right_scales{{0, right.end - right.begin, 0.5}};
  for (const std::size_t rank : {1, 4}) {
    const LowRank matrix{dependent(9, rank, 0, left), dependent(9, 9, 50, right)};
    const Matrix before = product(comm, matrix);
    const LowRank less = compress(matrix, left_scales, right_scales, 1e-12, comm);
    CHECK(less.left.size() == rank);
    CHECK(less.right.size() == rank);
    CHECK((product(comm, less) - before).norm() < 1e-12 * before.norm());
    const LowRank fewer = compress(matrix, left_scales, right_scales, 0.5, comm);
    CHECK(fewer.left.size() <= less.left.size());
    CHECK(fewer.left.size() >= 1);
  }
}

TEST_CASE("a matrix of columns that are nearly the same loses no digits where it is compressed") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Share left(comm, num_left);
  const Share right(comm, num_right);
  const auto nearly_same = [](const Share& share, std::size_t seed) {
    Columns columns(share.end - share.begin);
    for (std::size_t j = 0; j < 6; ++j) {
      const auto column = columns.push();
      for (std::size_t i = share.begin; i < share.end; ++i) {
        column[i - share.begin] = entry(i, seed) + 1e-7 * entry(i, seed + 1 + j);
      }
    }
    return columns;
  };
  const std::vector<Scale> left_scales{{0, left.end - left.begin, 1}};
  const std::vector<Scale> right_scales{{0, right.end - right.begin, 1}};
  const LowRank matrix{nearly_same(left, 0), nearly_same(right, 50)};
  const Matrix before = product(comm, matrix);
  const LowRank less = compress(matrix, left_scales, right_scales, 1e-14, comm);
  CHECK((product(comm, less) - before).norm() < 1e-14 * before.norm());
}

TEST_CASE("weighted products of columns are those of scaled ones") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Share all(0, 1, num_left);
  const Columns columns = dependent(4, 4, 7, all);
  const auto sums = products(columns, std::vector<Scale>{{0, 10, 2}, {12, num_left, 0.25}});
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double exact = 0;
      for (std::size_t i = 0; i < num_left; ++i) {
        const double weight = i < 10 ? 2 : i < 12 ? 0 : 0.25;
        exact += weight * weight * columns[a][i] * columns[b][i];
      }
      CHECK(sums[a * 4 + b].value == doctest::Approx(exact).epsilon(1e-13));
    }
  }
}

TEST_CASE("columns are dropped from the first on") {
  Columns columns(2);
  for (const double value : {1.0, 2.0, 3.0}) {
    columns.push(std::vector<double>{value, -value});
  }
  columns.drop_first(2);
  REQUIRE(columns.size() == 1);
  CHECK(columns[0][1] == -3);
  CHECK(columns.list()[0][0] == 3);
  columns.clear();
  CHECK(columns.list().empty());
}

namespace {

/// Of secant j, of which the parts that all of them have in common are `common` times the others.
double secant(std::size_t i, std::size_t j, double common) {
  return common * entry(i, 9) + entry(i, j);
}

void take_secants_to_outputs(double common) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Share rows(comm, num_right);
  const Share outputs(comm, num_left);
  const std::size_t own = rows.end - rows.begin;
  const std::size_t own_outputs = outputs.end - outputs.begin;
  const std::vector<Scale> equations{{0, own, 1}};
  const std::vector<Scale> of_outputs{{0, own_outputs, 1}};
  MultiVector past({.mode = RestartMode::none}, comm);
  past.initialize(own, own_outputs);
  Secants secants;
  secants.initialize({{0, 0, 0, 0, own}}, own, own_outputs);
  std::vector<double> residual(own, 1);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto [v, w] = secants.push();
    for (std::size_t i = 0; i < own; ++i) {
      v[i] = secant(rows.begin + i, j, common);
    }
    for (std::size_t i = 0; i < own_outputs; ++i) {
      w[i] = entry(outputs.begin + i, 20 + j);
    }
    std::vector<Twofold> sums;
    secants.measure(residual, sums);
    comm::allreduce_sum(comm, sums);
    secants.absorb(sums);
  }
  CHECK(past.complete_window(secants, equations, of_outputs, {.filter_limit = 1e-12}) == 0);
  for (std::size_t j = 0; j < 3; ++j) { // r = 2 v_j
    for (std::size_t i = 0; i < own; ++i) {
      residual[i] = 2 * secant(rows.begin + i, j, common);
    }
    std::vector<Twofold> sums;
    past.measure(residual, {}, sums);
    comm::allreduce_sum(comm, sums);
    past.absorb(sums, secants, false);
    for (std::size_t i = 0; i < own_outputs; ++i) {
      double step = 0;
      for (std::size_t k = 0; k < past.columns().size(); ++k) {
        step += past.factors()[k] * past.columns()[k][i];
      }
      CHECK(step == doctest::Approx(-2 * entry(outputs.begin + i, 20 + j)).epsilon(1e-9));
    }
  }
}

} // namespace

TEST_CASE("the Jacobian of a window takes what its secants are made of to their outputs") {
  for (const double common : {0.0, 1e3, 1e6}) { // the more they are alike
    CAPTURE(common);
    take_secants_to_outputs(common);
  }
}
