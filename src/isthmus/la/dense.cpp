// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/dense.hpp"

#include "isthmus/base/error.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <cmath>

namespace isthmus::la {

namespace {

using Map = Eigen::Map<Eigen::MatrixXd>;
using ConstMap = Eigen::Map<const Eigen::MatrixXd>;

ConstMap view(std::span<const double> a, std::size_t rows, std::size_t columns) {
  check(a.size() == rows * columns, "a matrix of {} rows and {} columns was given {} entries", rows,
        columns, a.size());
  return {a.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

} // namespace

PseudoInverse pseudo_inverse(std::span<const double> a, std::size_t rows, std::size_t columns,
                             double threshold) {
  const auto matrix = view(a, rows, columns);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(matrix);
  PseudoInverse result{std::vector<double>(rows * columns),
                       static_cast<std::size_t>(decomposition.rank())};
  Map(result.inverse.data(), matrix.cols(), matrix.rows()) = decomposition.pseudoInverse();
  return result;
}

Modes symmetric_modes(std::span<const double> a, std::size_t n) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(view(a, n, n));
  const Eigen::VectorXd& values = eigen.eigenvalues();
  const Eigen::MatrixXd& vectors = eigen.eigenvectors();
  return {{values.begin(), values.end()}, {vectors.data(), vectors.data() + vectors.size()}};
}

Extremes eigenvalue_extremes(std::span<const double> diagonal, std::span<const double> beside) {
  check(!diagonal.empty() && beside.size() + 1 == diagonal.size(),
        "a tridiagonal matrix was given {} diagonal entries and {} beside them", diagonal.size(),
        beside.size());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
  eigen.computeFromTridiagonal(
      Eigen::Map<const Eigen::VectorXd>(diagonal.data(),
                                        static_cast<Eigen::Index>(diagonal.size())),
      Eigen::Map<const Eigen::VectorXd>(beside.data(), static_cast<Eigen::Index>(beside.size())),
      Eigen::EigenvaluesOnly);
  return {eigen.eigenvalues().minCoeff(), eigen.eigenvalues().maxCoeff()};
}

SymmetricSolver::SymmetricSolver(std::span<const double> a, std::size_t n) : n_(n), factor_(n * n) {
  const Eigen::MatrixXd matrix = view(a, n, n);
  if (n == 0) {
    return;
  }
  Map factor(factor_.data(), matrix.rows(), matrix.cols());
  const Eigen::LLT<Eigen::MatrixXd> cholesky(matrix);
  const auto pivots = cholesky.matrixLLT().diagonal().array().abs();
  // of a factor: the square root of what is lost to rounding where entries are sums of many others
  constexpr double least_pivot = 1e-6;
  if (cholesky.info() == Eigen::Success && pivots.minCoeff() > least_pivot * pivots.maxCoeff()) {
    factor = cholesky.matrixL();
    return;
  }
  singular_ = true;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(matrix);
  const Eigen::VectorXd values = eigen.eigenvalues();
  const double least = 1e-12 * values.cwiseAbs().maxCoeff();
  const Eigen::VectorXd inverse =
      values.unaryExpr([least](double value) { return value > least ? 1 / value : 0.0; });
  factor = eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

void SymmetricSolver::solve(std::span<double> b) const {
  const auto factor = view(factor_, n_, n_);
  Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(n_));
  check(b.size() == n_, "a system of {} equations was given {} right-hand sides", n_, b.size());
  if (singular_) {
    x = (factor * x).eval();
  } else {
    factor.triangularView<Eigen::Lower>().solveInPlace(x);
    factor.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  }
}

} // namespace isthmus::la
