// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/block_cholesky.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <vector>

namespace isthmus::radial {

using Sparse = Eigen::SparseMatrix<double>;

struct BlockCholesky::Factors {
  bool dense = false;
  Eigen::LLT<Eigen::MatrixXd> of_dense;
  Eigen::SimplicialLDLT<Sparse> of_sparse;

  /// Whether there are some.
  bool find(const la::Csr& rows) {
    const auto size = static_cast<Eigen::Index>(rows.num_rows());
    if (size == 0) {
      return true;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        entries.emplace_back(static_cast<int>(i), rows.columns[k], rows.values[k]);
      }
    }
    Sparse block(size, size);
    block.setFromTriplets(entries.begin(), entries.end());
    dense = is_dense(rows.num_rows(), rows.num_entries());
    if (dense) {
      of_dense.compute(Eigen::MatrixXd(block));
      return of_dense.info() == Eigen::Success;
    }
    of_sparse.compute(block);
    return of_sparse.info() == Eigen::Success && of_sparse.vectorD().minCoeff() > 0;
  }
};

BlockCholesky::BlockCholesky(const la::Matrix& matrix, const std::string& place)
    : factors_(std::make_unique<Factors>()) {
  comm::agree(matrix.comm(), [&] {
    check(factors_->find(matrix.own()),
          "{}: the matrix of {} vertices is not positive definite to working accuracy; choose a "
          "smaller support-radius, a function of less smoothness, or remove vertices that almost "
          "coincide",
          place, matrix.num_rows());
  });
}

BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky::~BlockCholesky() = default;

void BlockCholesky::apply(std::span<const double> r, std::span<double> z, la::Overlap overlap) {
  overlap.progress();
  const auto size = static_cast<Eigen::Index>(r.size());
  if (size == 0) {
    return;
  }
  const Eigen::Map<const Eigen::VectorXd> right(r.data(), size);
  Eigen::Map<Eigen::VectorXd> result(z.data(), size);
  if (factors_->dense) {
    result = factors_->of_dense.solve(right);
  } else {
    result = factors_->of_sparse.solve(right);
  }
}

} // namespace isthmus::radial
