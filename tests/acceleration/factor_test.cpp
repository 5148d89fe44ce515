// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/factor.hpp"

#include "isthmus/acceleration/dots.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

using Matrix = Eigen::MatrixXd;
using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// Columns that differ from the first by `distance` only.
Matrix nearly_dependent(Eigen::Index rows, Eigen::Index columns, double distance) {
  Matrix v(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) {
      const auto x = static_cast<double>(i + 1);
      v(i, j) = std::sin(x) + (j > 0 ? distance * std::cos(x * static_cast<double>(j + 1)) : 0);
    }
  }
  return v;
}

std::vector<Twofold> gram_of(const Matrix& v) {
  const auto n = static_cast<std::size_t>(v.cols());
  std::vector<Twofold> gram(n * n);
  for (Eigen::Index i = 0; i < v.cols(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      gram[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] =
          dot({v.col(i).data(), static_cast<std::size_t>(v.rows())},
              {v.col(j).data(), static_cast<std::size_t>(v.rows())});
    }
  }
  return gram;
}

/// |I - QᵀQ| of V R⁻¹, in long double so that only R is judged.
double orthogonality_loss(const Matrix& v, const Extended& r) {
  const Extended q =
      r.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(v.cast<long double>());
  return static_cast<double>((Extended::Identity(r.cols(), r.cols()) - q.transpose() * q).norm());
}

Extended twofold_r(const Matrix& v) {
  Factor factor;
  factor.compute(gram_of(v), static_cast<std::size_t>(v.cols()), FilterType::qr2, 0);
  REQUIRE(factor.kept().size() == static_cast<std::size_t>(v.cols()));
  Extended r = Extended::Zero(v.cols(), v.cols());
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      const Twofold entry = factor.r(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      r(i, j) = static_cast<long double>(entry.value) + entry.rest;
    }
  }
  return r;
}

/// Modified Gram-Schmidt, every projection done twice.
Extended gram_schmidt_r(const Matrix& v) {
  Matrix q = v;
  Matrix r = Matrix::Zero(v.cols(), v.cols());
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index i = 0; i < j; ++i) {
        const double part = q.col(i).dot(q.col(j));
        r(i, j) += part;
        q.col(j) -= part * q.col(i);
      }
    }
    r(j, j) = q.col(j).norm();
    q.col(j) /= r(j, j);
  }
  return r.cast<long double>();
}

} // namespace

TEST_CASE("R of nearly dependent columns is better than that of Gram-Schmidt done twice") {
  for (const double distance : {1e-3, 1e-7, 1e-10}) {
    const Matrix v = nearly_dependent(500, 6, distance);
    const double loss = orthogonality_loss(v, twofold_r(v));
    CHECK(loss < 1e-8);
    CHECK(loss < 0.01 * orthogonality_loss(v, gram_schmidt_r(v)));
    const Matrix plain = v.transpose() * v;
    const Eigen::LLT<Matrix> cholesky(plain); // what a Gram matrix in doubles is worth
    if (distance < 1e-8) {
      CHECK((cholesky.info() != Eigen::Success ||
             orthogonality_loss(v, Matrix(cholesky.matrixU()).cast<long double>()) > 1e-3));
    }
  }
}

TEST_CASE("filters delete what lies in the span of newer columns") {
  Matrix v = nearly_dependent(40, 4, 1);
  v.col(2) = 2 * v.col(1) - v.col(0);
  v(7, 2) += 1e-4; // a little is new
  const std::vector<Twofold> gram = gram_of(v);
  Factor factor;
  const auto kept = [&](FilterType filter, double limit) {
    factor.compute(gram, 4, filter, limit);
    return std::vector<std::size_t>(factor.kept().begin(), factor.kept().end());
  };
  const std::vector<std::size_t> all{0, 1, 2, 3};
  const std::vector<std::size_t> some{0, 1, 3};
  CHECK(kept(FilterType::qr2, 1e-3) == some);
  CHECK(kept(FilterType::qr3, 1e-3) == some);
  CHECK(kept(FilterType::qr1, 1e-3) == some);
  CHECK(kept(FilterType::qr1_absolute, 1e-3) == some);
  CHECK(kept(FilterType::qr2, 1e-8) == all);
  CHECK(kept(FilterType::qr1, 1e-8) == all);
}

TEST_CASE("zero and equal columns are left out whatever the limit") {
  Matrix v = nearly_dependent(40, 4, 1);
  v.col(1).setZero();
  v.col(3) = -3 * v.col(0);
  Factor factor;
  for (const FilterType filter :
       {FilterType::qr1, FilterType::qr1_absolute, FilterType::qr2, FilterType::qr3}) {
    for (const double limit : {0.0, 1e-16}) {
      factor.compute(gram_of(v), 4, filter, limit);
      CHECK(std::vector<std::size_t>(factor.kept().begin(), factor.kept().end()) ==
            std::vector<std::size_t>{0, 2});
    }
    factor.compute(gram_of(Matrix::Zero(40, 4)), 4, filter, 0);
    CHECK(factor.kept().empty());
  }
}

TEST_CASE("dot products have the digits that cancellation takes away") {
  const std::size_t n = 3001;
  std::vector<double> a(2 * n);
  std::vector<double> b(2 * n);
  for (std::size_t i = 0; i < n; ++i) { // the halves cancel but for one millionth of one term
    a[i] = 1 + std::sin(static_cast<double>(i));
    a[n + i] = a[i];
    b[i] = 1e10 * std::cos(static_cast<double>(i));
    b[n + i] = -b[i];
  }
  b[n] += 0x1p-20;
  CHECK(dot(a, b).value == doctest::Approx(a[n] * (b[n] + b[0])).epsilon(1e-14));
}
