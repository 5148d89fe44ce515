// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/small_matrix.hpp"

#include "radial/available_kernels.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <cmath>
#include <cstddef>
#include <vector>

using isthmus::radial::LaneRow;
using isthmus::radial::lanes;
using isthmus::radial::SmallMatrix;

namespace {

Eigen::MatrixXd symmetric(Eigen::Index size, bool definite) {
  Eigen::MatrixXd result(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      const double away = std::abs(static_cast<double>(i - j));
      result(i, j) = definite ? std::exp(-0.3 * away) : away; // of |x - y|: zeros on the diagonal
    }
  }
  return result;
}

/// The largest difference between A times the solutions and the right sides.
double residual(const Eigen::MatrixXd& matrix, bool definite, SmallMatrix& small) {
  const auto size = static_cast<std::size_t>(matrix.rows());
  small.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i / lanes * lanes; j < size; ++j) {
      small.row(i)[j] = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  REQUIRE((definite ? small.factor_definite() : small.factor_any()));
  std::vector<LaneRow> x(small.num_rows(), LaneRow{});
  using Sides = Eigen::Matrix<double, Eigen::Dynamic, lanes, Eigen::RowMajor>;
  Eigen::Map<Sides> solution(x.data()->of, matrix.rows(), lanes);
  for (Eigen::Index i = 0; i < solution.size(); ++i) {
    solution(i) = static_cast<double>(i * 7 % 11) - 5.0;
  }
  const Sides right = solution;
  small.solve(x.data());
  return (matrix * solution - right).cwiseAbs().maxCoeff();
}

/// Matrices of zeros, and one that has an eigenvalue below zero.
void refuse(const isthmus::radial::Kernels& kernels) {
  SmallMatrix small(kernels);
  for (const std::size_t size : {2UL, 9UL, 20UL}) {
    for (const bool definite : {true, false}) {
      small.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i / lanes * lanes; j < size; ++j) {
          small.row(i)[j] = 0.0;
        }
      }
      CHECK_FALSE((definite ? small.factor_definite() : small.factor_any()));
    }
    small.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i / lanes * lanes; j < size; ++j) {
        small.row(i)[j] = i == j ? 1.0 : 2.0; // eigenvalues -1 and 2 size - 1
      }
    }
    CHECK_FALSE(small.factor_definite());
  }
}

} // namespace

TEST_CASE("small systems of any size are solved for eight right sides, with all instructions") {
  for (const auto& [name, kernels] : available_kernels()) {
    CAPTURE(name);
    SmallMatrix small(kernels); // the same memory, up and down
    for (const Eigen::Index size : {1, 2, 50, 3, 4, 5, 8, 9, 33, 71, 16, 17}) {
      CAPTURE(size);
      CHECK(residual(symmetric(size, true), true, small) < 1e-11);
      if (size > 1) {
        CHECK(residual(symmetric(size, false), false, small) < 1e-9);
      }
    }
  }
}

TEST_CASE("small matrices that are not definite, or singular, are told") {
  for (const auto& [name, kernels] : available_kernels()) {
    CAPTURE(name);
    refuse(kernels);
  }
}
