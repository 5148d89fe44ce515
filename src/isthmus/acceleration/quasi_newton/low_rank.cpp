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

/// Columns as Q R with orthonormal Q, which is columns · inverse.
struct Orthogonal {
  std::vector<const double*> kept;
  Eigen::MatrixXd r;       // kept × all
  Eigen::MatrixXd inverse; // of the kept part of R
};

Orthogonal orthogonalize(const Columns& columns, std::span<const Twofold> gram) {
  const std::size_t n = columns.size();
  Factor factor;
  factor.compute(gram, n, FilterType::qr2, independence);
  const auto kept = factor.kept();
  const std::size_t m = kept.size();
  Orthogonal result{{}, Eigen::MatrixXd::Zero(index(m), index(n)), {}};
  Eigen::MatrixXd triangle(index(m), index(m));
  for (std::size_t i = 0; i < m; ++i) {
    result.kept.push_back(columns.list()[kept[i]]);
    for (std::size_t j = kept[i]; j < n; ++j) {
      result.r(index(i), index(j)) = factor.r(i, j).value;
    }
    for (std::size_t j = 0; j < m; ++j) {
      triangle(index(i), index(j)) = j < i ? 0 : result.r(index(i), index(kept[j]));
    }
  }
  result.inverse =
      triangle.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(index(m), index(m)));
  return result;
}

Columns combined(const Orthogonal& basis, const Eigen::MatrixXd& factors, std::size_t rows) {
  const Eigen::MatrixXd all = basis.inverse * factors;
  Columns result(rows);
  const std::vector<double> zero(rows);
  for (Eigen::Index j = 0; j < all.cols(); ++j) {
    combine(basis.kept, std::span(all.col(j).data(), basis.kept.size()), zero.data(), 0,
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
  // L = Q_L R_L, Z = Q_Z R_Z, R_L R_Zᵀ = U S Vᵀ; so L Zᵀ = (Q_L U S) (Q_Z V)ᵀ
  const Orthogonal left = orthogonalize(matrix.left, std::span(gram).first(half));
  const Orthogonal right = orthogonalize(matrix.right, std::span(gram).subspan(half));
  if (left.kept.empty() || right.kept.empty()) {
    return {Columns(matrix.left.rows()), Columns(matrix.right.rows())};
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(left.r * right.r.transpose(),
                                              Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  const auto rank = static_cast<Eigen::Index>(std::count_if(
      values.begin(), values.end(), [&](double s) { return s > truncation * values[0]; }));
  const Eigen::MatrixXd scaled = svd.matrixU().leftCols(rank) * values.head(rank).asDiagonal();
  return {combined(left, scaled, matrix.left.rows()),
          combined(right, svd.matrixV().leftCols(rank), matrix.right.rows())};
}

} // namespace isthmus::acceleration
