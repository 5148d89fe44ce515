// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/dense_factors.hpp"

#include "isthmus/comm/collective.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::radial {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using View = Eigen::Map<MatrixXd>;

/// Sum over the ranks.
MatrixXd sum_of(const comm::Comm& comm, MatrixXd part) {
  comm::allreduce(comm, std::span(part.data(), static_cast<std::size_t>(part.size())),
                  comm::Op::sum);
  return part;
}

/// Overwrites a block of columns, with the diagonal in its first rows. False if it is not definite.
bool factor_definite(Eigen::Ref<MatrixXd> panel) {
  const Index size = panel.cols();
  const Eigen::LLT<MatrixXd> diagonal(panel.topRows(size));
  panel.topRows(size) = diagonal.matrixL();
  auto below = panel.bottomRows(panel.rows() - size);
  diagonal.matrixL().transpose().solveInPlace<Eigen::OnTheRight>(below);
  return diagonal.info() == Eigen::Success && panel.diagonal().allFinite();
}

/// Exchanges rows by pivots, relative to the first row.
void exchange_rows(Eigen::Ref<MatrixXd> rows, std::span<const std::size_t> pivots) {
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    if (pivots[i] != i) {
      rows.row(index(i)).swap(rows.row(index(pivots[i])));
    }
  }
}

/// Overwrites a block of columns by L, with ones on the diagonal that are left out, and U; notes
/// the row that each was exchanged with. False if the columns depend on each other.
bool factor_panel_pivoted(Eigen::Ref<MatrixXd> panel, std::span<std::size_t> pivots) {
  for (Index c = 0; c < panel.cols(); ++c) {
    const Index left = panel.rows() - c;
    Index largest = 0;
    const double size = panel.col(c).tail(left).cwiseAbs().maxCoeff(&largest);
    if (!(size > 0 && std::isfinite(size))) {
      return false;
    }
    pivots[static_cast<std::size_t>(c)] = static_cast<std::size_t>(c + largest);
    panel.row(c).swap(panel.row(c + largest));
    auto below = panel.col(c).tail(left - 1);
    below /= panel(c, c);
    const Index right = panel.cols() - c - 1;
    panel.bottomRightCorner(left - 1, right).noalias() -= below * panel.row(c).tail(right);
  }
  return true;
}

} // namespace

BlockOrder::BlockOrder(const comm::Comm& comm, std::size_t count)
    : counts_(comm::allgather(comm, count)) {
  bool any = true;
  for (std::size_t column = 0; std::exchange(any, false); column += width) {
    for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
      if (counts_[rank] > column) {
        const std::size_t size = std::min(width, counts_[rank] - column);
        blocks_.push_back({size_, size, static_cast<int>(rank), column});
        size_ += size;
        any = true;
      }
    }
  }
}

std::vector<std::size_t> BlockOrder::equations(int rank) const {
  std::vector<std::size_t> result(num_columns(rank));
  for (const Block& block : blocks_) {
    for (std::size_t i = 0; i < block.size && block.rank == rank; ++i) {
      result[block.column + i] = block.first + i;
    }
  }
  return result;
}

struct DenseFactors::Columns {
  std::vector<double> values;
  View view;

  Columns(std::vector<double> of, std::size_t rows)
      : values(std::move(of)),
        view(values.data(), index(rows), index(rows == 0 ? 0 : values.size() / rows)) {}

  [[nodiscard]] auto block(const BlockOrder::Block& of, std::size_t first, std::size_t rows) {
    return view.block(index(first), index(of.column), index(rows), index(of.size));
  }
};

DenseFactors::DenseFactors(const comm::Comm& comm, BlockOrder order, bool definite,
                           std::vector<double> columns)
    : comm_(&comm),
      order_(std::move(order)),
      definite_(definite),
      columns_(std::make_unique<Columns>(std::move(columns), order_.size())) {
  factor();
}

DenseFactors::DenseFactors(DenseFactors&&) noexcept = default;
DenseFactors::~DenseFactors() = default;

void DenseFactors::factor() {
  const std::size_t n = order_.size();
  std::vector<double> panel;
  std::vector<std::size_t> pivots;
  for (const BlockOrder::Block& block : order_.blocks()) {
    const std::size_t rows = n - block.first;
    pivots.assign(definite_ ? 0 : block.size, 0);
    if (block.rank == comm_->rank()) {
      auto own = columns_->block(block, block.first, rows);
      const bool done = definite_ ? factor_definite(own) : factor_panel_pivoted(own, pivots);
      panel.resize(done ? rows * block.size : 0); // nothing says that it failed
      if (done) {
        View(panel.data(), index(rows), index(block.size)) = own;
      }
    }
    if (comm_->size() > 1) {
      comm::bcast(*comm_, panel, block.rank);
      comm::bcast(*comm_, pivots, block.rank);
    }
    if (panel.empty()) {
      regular_ = false;
      return;
    }
    subtract(block, panel, pivots);
    for (const std::size_t pivot : pivots) {
      pivots_.push_back(block.first + pivot);
    }
  }
}

void DenseFactors::subtract(const BlockOrder::Block& block, std::span<const double> panel,
                            std::span<const std::size_t> pivots) {
  const std::size_t rows = order_.size() - block.first;
  const Index width = index(block.size);
  const Eigen::Map<const MatrixXd> factors(panel.data(), index(rows), width);
  std::size_t behind = columns_->values.empty() ? 0 : order_.num_columns(comm_->rank());
  for (const BlockOrder::Block& other : order_.blocks()) {
    if (other.rank != comm_->rank() || other.first <= block.first) {
      continue;
    }
    behind = std::min(behind, other.column);
    if (definite_) {
      const auto below = factors.bottomRows(index(order_.size() - other.first));
      columns_->block(other, other.first, order_.size() - other.first).noalias() -=
          below * below.topRows(index(other.size)).transpose();
    }
  }
  if (definite_) {
    return;
  }
  const Index left = block.rank == comm_->rank() ? index(block.column) : index(behind);
  exchange_rows(columns_->view.bottomLeftCorner(index(rows), left), pivots);
  auto right = columns_->view.bottomRightCorner(index(rows), columns_->view.cols() - index(behind));
  exchange_rows(right, pivots);
  factors.topRows(width).triangularView<Eigen::UnitLower>().solveInPlace(right.topRows(width));
  right.bottomRows(index(rows) - width).noalias() -=
      factors.bottomRows(index(rows) - width) * right.topRows(width);
}

void DenseFactors::solve(std::size_t count, std::span<double> right) const {
  if (right.empty()) {
    return;
  }
  for (std::size_t i = 0; i < pivots_.size(); ++i) {
    View all(right.data(), index(order_.size()), index(count));
    all.row(index(i)).swap(all.row(index(pivots_[i])));
  }
  forward(count, right);
  if (definite_) {
    backward_transposed(count, right);
  } else {
    backward(count, right);
  }
}

/// Each rank adds up what its columns subtract from the equations to come. Afterwards each rank has
/// the solution for its own equations.
void DenseFactors::forward(std::size_t count, std::span<double> right) const {
  View x(right.data(), index(order_.size()), index(count));
  MatrixXd sums = MatrixXd::Zero(x.rows(), x.cols());
  for (const BlockOrder::Block& block : order_.blocks()) {
    const Index first = index(block.first);
    const Index size = index(block.size);
    const MatrixXd known = sum_of(*comm_, sums.middleRows(first, size));
    if (block.rank != comm_->rank()) {
      continue;
    }
    auto own = x.middleRows(first, size);
    own -= known;
    const auto diagonal = columns_->block(block, block.first, block.size);
    if (definite_) {
      diagonal.triangularView<Eigen::Lower>().solveInPlace(own);
    } else {
      diagonal.triangularView<Eigen::UnitLower>().solveInPlace(own);
    }
    const Index below = x.rows() - first - size;
    sums.bottomRows(below).noalias() +=
        columns_->block(block, block.first + block.size, static_cast<std::size_t>(below)) * own;
  }
}

void DenseFactors::backward(std::size_t count, std::span<double> right) const {
  View x(right.data(), index(order_.size()), index(count));
  MatrixXd sums = MatrixXd::Zero(x.rows(), x.cols());
  const auto blocks = order_.blocks();
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const Index first = index(block->first);
    auto own = x.middleRows(first, index(block->size));
    const MatrixXd known = sum_of(*comm_, sums.middleRows(first, index(block->size)));
    if (block->rank == comm_->rank()) {
      own -= known;
      columns_->block(*block, block->first, block->size)
          .triangularView<Eigen::Upper>()
          .solveInPlace(own);
      sums.topRows(first).noalias() += columns_->block(*block, 0, block->first) * own;
    } else {
      own.setZero();
    }
  }
  comm::allreduce(*comm_, right, comm::Op::sum);
}

void DenseFactors::backward_transposed(std::size_t count, std::span<double> right) const {
  View x(right.data(), index(order_.size()), index(count));
  std::vector<double> solution;
  const auto blocks = order_.blocks();
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const Index first = index(block->first);
    const Index size = index(block->size);
    auto own = x.middleRows(first, size);
    if (block->rank == comm_->rank()) {
      const Index below = x.rows() - first - size;
      own.noalias() -=
          columns_->block(*block, block->first + block->size, static_cast<std::size_t>(below))
              .transpose() *
          x.bottomRows(below);
      columns_->block(*block, block->first, block->size)
          .triangularView<Eigen::Lower>()
          .transpose()
          .solveInPlace(own);
      solution.assign(block->size * count, 0.0);
      View(solution.data(), size, index(count)) = own;
    }
    if (comm_->size() > 1) {
      comm::bcast(*comm_, solution, block->rank);
      own = View(solution.data(), size, index(count));
    }
  }
}

} // namespace isthmus::radial
