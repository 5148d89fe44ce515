// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/low_rank.hpp"

#include "isthmus/acceleration/dots.hpp"
#include "isthmus/acceleration/quasi_newton/factor.hpp"
#include "isthmus/comm/collective.hpp"

#include <Eigen/Dense>

#include <algorithm>

namespace isthmus::acceleration {

namespace {

/// Directions that hold less of a column than this are left out: once the others are taken away,
/// they could not be distinguished from rounding.
constexpr double independence = 1e-10;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// The part R of columns that are Q R with orthonormal Q, from their products: a row for each of
/// those that are independent.
Eigen::MatrixXd triangle_of(std::span<const Twofold> gram, std::size_t columns) {
  Factor factor;
  factor.compute(gram, columns, FilterType::qr2, independence);
  const auto kept = factor.kept();
  Eigen::MatrixXd r = Eigen::MatrixXd::Zero(index(kept.size()), index(columns));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = kept[i]; j < columns; ++j) {
      r(index(i), index(j)) = factor.r(i, j).value;
    }
  }
  return r;
}

/// columns · factors.
Columns combined(const Columns& columns, const Eigen::MatrixXd& factors) {
  Columns result(columns.rows());
  const std::vector<double> zero(columns.rows());
  for (Eigen::Index j = 0; j < factors.cols(); ++j) {
    combine(columns.list(), std::span(factors.col(j).data(), columns.size()), zero.data(), 0,
            result.push());
  }
  return result;
}

} // namespace

void Columns::relist() {
  list_.clear();
  for (const std::vector<double>& column : columns_) {
    list_.push_back(column.data());
  }
}

std::span<double> Columns::push() {
  columns_.emplace_back(rows_);
  relist();
  return columns_.back();
}

void Columns::push(std::span<const double> values) {
  std::copy(values.begin(), values.end(), push().begin());
}

void Columns::drop_first(std::size_t columns) {
  columns_.erase(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(columns));
  relist();
}

std::vector<Twofold> products(const Columns& columns, std::span<const Scale> scales) {
  const std::size_t n = columns.size();
  std::vector<Twofold> gram(n * n);
  std::vector<Twofold> sums;
  for (std::size_t i = 0; i < n; ++i) {
    for (const Scale& scale : scales) {
      sums.assign(2 * (i + 1), {});
      const double* const column = columns.list()[i];
      add_dots(columns.list().first(i + 1), scale.begin, scale.end, column, column, sums);
      for (std::size_t j = 0; j <= i; ++j) {
        gram[i * n + j] += exact_product(scale.weight, scale.weight) * sums[2 * j];
      }
    }
  }
  return gram;
}

LowRank compress(const LowRank& matrix, std::span<const Scale> left_scales,
                 std::span<const Scale> right_scales, double truncation, const comm::Comm& comm) {
  std::vector<Twofold> gram = products(matrix.left, left_scales);
  const std::vector<Twofold> right_gram = products(matrix.right, right_scales);
  const std::size_t half = gram.size();
  gram.insert(gram.end(), right_gram.begin(), right_gram.end());
  comm::allreduce_sum(comm, gram);
  // L = Q_L R_L, Z = Q_Z R_Z, R_L R_Zᵀ = U S Vᵀ; so J = L Zᵀ = (Q_L U S) (Q_Z V)ᵀ. Columns are
  // hardly independent of each other, so that L R_L⁻¹ would lose half of the digits; but
  // Q_L U S = J Q_Z V = L (R_Zᵀ V), and Q_Z V = Jᵀ Q_L U S⁻¹ = Z (R_Lᵀ U S⁻¹).
  const Eigen::MatrixXd left = triangle_of(std::span(gram).first(half), matrix.left.size());
  const Eigen::MatrixXd right = triangle_of(std::span(gram).subspan(half), matrix.right.size());
  if (left.rows() == 0 || right.rows() == 0) {
    return {Columns(matrix.left.rows()), Columns(matrix.right.rows())};
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(left * right.transpose(),
                                              Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  const auto rank = static_cast<Eigen::Index>(std::count_if(
      values.begin(), values.end(), [&](double s) { return s > truncation * values[0]; }));
  const Eigen::MatrixXd outputs = right.transpose() * svd.matrixV().leftCols(rank);
  const Eigen::MatrixXd inputs = left.transpose() * svd.matrixU().leftCols(rank) *
                                 values.head(rank).cwiseInverse().asDiagonal();
  return {combined(matrix.left, outputs), combined(matrix.right, inputs)};
}

} // namespace isthmus::acceleration
