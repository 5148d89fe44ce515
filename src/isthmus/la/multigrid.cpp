// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/multigrid.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/la/aggregation.hpp"
#include "isthmus/la/galerkin.hpp"

#include <algorithm>

namespace isthmus::la {

Multigrid::Multigrid(Matrix& matrix, Settings settings) : settings_(settings) {
  const comm::Comm& comm = matrix.comm();
  add_level(&matrix, nullptr);
  GlobalIndex rows = number(comm, matrix.num_rows()).total;
  while (rows > settings_.coarsest && static_cast<int>(levels_.size()) < settings_.most_levels) {
    Level& fine = levels_.back();
    const Aggregates aggregates = aggregate(fine.matrix->own(), settings_.strong);
    const GlobalIndex left = number(comm, aggregates.count).total;
    constexpr double least_gain = 0.9;
    if (static_cast<double>(left) > least_gain * static_cast<double>(rows)) {
      break; // one row per rank is left, or nothing is coupled
    }
    fine.prolongation = std::make_unique<Matrix>(
        settings_.smoothed
            ? smoothed_prolongation(*fine.matrix, aggregates, settings_.strong, fine.radius)
            : constant_prolongation(*fine.matrix, aggregates));
    auto coarse = std::make_unique<Matrix>(galerkin_product(*fine.matrix, *fine.prolongation));
    Matrix* const next = coarse.get();
    add_level(next, std::move(coarse));
    rows = left;
  }
  direct_ = rows <= settings_.coarsest;
  if (direct_) {
    factor_coarsest();
  }
}

void Multigrid::add_level(Matrix* matrix, std::unique_ptr<Matrix> owned) {
  const auto n = static_cast<std::size_t>(matrix->num_rows());
  Level level{
      matrix, std::move(owned), nullptr, spectral_radius(*matrix), matrix->diagonal(), {}, {}, {}};
  for (double& value : level.inverse) {
    value = value == 0 ? 0 : 4.0 / 3 / level.radius / value;
  }
  level.r.resize(n);
  level.z.resize(n);
  level.product.resize(n);
  levels_.push_back(std::move(level));
}

void Multigrid::factor_coarsest() {
  const Matrix& matrix = *levels_.back().matrix;
  const GlobalRows rows = matrix.global_rows();
  std::vector<GlobalIndex> row_numbers;
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    row_numbers.insert(row_numbers.end(), rows.columns_of(row).size(),
                       matrix.first_row() + static_cast<GlobalIndex>(row));
  }
  const auto& comm = matrix.comm();
  const auto all_rows = comm::allgather(comm, std::span<const GlobalIndex>(row_numbers)).values;
  const auto columns = comm::allgather(comm, std::span<const GlobalIndex>(rows.columns)).values;
  const auto values = comm::allgather(comm, std::span<const double>(rows.values)).values;
  const auto n = static_cast<std::size_t>(number(comm, matrix.num_rows()).total);
  std::vector<double> dense(n * n);
  for (std::size_t k = 0; k < values.size(); ++k) {
    dense[static_cast<std::size_t>(all_rows[k]) * n + static_cast<std::size_t>(columns[k])] +=
        values[k];
  }
  solver_ = SymmetricSolver(dense, n);
}

void Multigrid::apply(std::span<const double> r, std::span<double> z, Overlap overlap) {
  Level& finest = levels_.front();
  std::copy(r.begin(), r.end(), finest.r.begin());
  cycle(0);
  std::copy(finest.z.begin(), finest.z.end(), z.begin());
  overlap.progress();
}

void Multigrid::smooth(Level& level, bool from_zero) const {
  for (int sweep = 0; sweep < settings_.sweeps; ++sweep) {
    if (from_zero && sweep == 0) {
      for (std::size_t i = 0; i < level.z.size(); ++i) {
        level.z[i] = level.inverse[i] * level.r[i];
      }
    } else {
      level.matrix->apply(level.z, level.product);
      for (std::size_t i = 0; i < level.z.size(); ++i) {
        level.z[i] += level.inverse[i] * (level.r[i] - level.product[i]);
      }
    }
  }
}

void Multigrid::cycle(std::size_t index) {
  Level& level = levels_[index];
  if (index + 1 == levels_.size()) {
    solve_coarsest(level);
    return;
  }
  smooth(level, true);
  level.matrix->apply(level.z, level.product);
  Level& coarse = levels_[index + 1];
  for (std::size_t i = 0; i < level.z.size(); ++i) {
    level.product[i] = level.r[i] - level.product[i];
  }
  level.prolongation->apply_transposed(level.product, coarse.r);
  cycle(index + 1);
  level.prolongation->apply(coarse.z, level.product);
  const double factor = settings_.smoothed ? 1 : settings_.overcorrection;
  for (std::size_t i = 0; i < level.z.size(); ++i) {
    level.z[i] += factor * level.product[i];
  }
  smooth(level, false);
}

void Multigrid::solve_coarsest(Level& level) {
  if (!direct_) {
    constexpr int sweeps = 4;
    smooth(level, true);
    for (int i = 0; i < sweeps; ++i) {
      smooth(level, false);
    }
    return;
  }
  std::vector<double> all =
      comm::allgather(level.matrix->comm(), std::span<const double>(level.r)).values;
  solver_.solve(all);
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(level.matrix->first_row()), level.z.size(),
              level.z.begin());
}

double Multigrid::operator_complexity() const {
  std::vector<double> entries;
  for (const Level& level : levels_) {
    entries.push_back(static_cast<double>(level.matrix->own().num_entries() +
                                          level.matrix->border().num_entries()));
  }
  comm::allreduce(levels_.front().matrix->comm(), std::span(entries), comm::Op::sum);
  double sum = 0;
  for (const double count : entries) {
    sum += count;
  }
  return sum / std::max(1.0, entries.front());
}

} // namespace isthmus::la
