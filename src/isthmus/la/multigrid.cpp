// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/multigrid.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/la/ownership.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::la {

namespace {

constexpr LocalIndex none = -1;
constexpr double damping = 2.0 / 3;

double strongest(const Csr& a, std::size_t row) {
  double most = 0;
  for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
    most =
        a.columns[k] == static_cast<LocalIndex>(row) ? most : std::max(most, std::abs(a.values[k]));
  }
  return most;
}

/// Each row with its strong neighbours, where none of them has an aggregate yet.
LocalIndex aggregate_neighbourhoods(const Csr& a, double strong,
                                    std::vector<LocalIndex>& aggregate) {
  LocalIndex count = 0;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    const double least = strong * strongest(a, row);
    bool is_free = aggregate[row] == none;
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      is_free = is_free && (std::abs(a.values[k]) < least ||
                            aggregate[static_cast<std::size_t>(a.columns[k])] == none);
    }
    for (std::size_t k = a.offsets[row]; is_free && k < a.offsets[row + 1]; ++k) {
      if (std::abs(a.values[k]) >= least) {
        aggregate[static_cast<std::size_t>(a.columns[k])] = count;
      }
    }
    if (is_free) {
      aggregate[row] = count++;
    }
  }
  return count;
}

/// Each row with its free strong neighbours of this rank, then the rows that are left with the
/// aggregate of their strongest neighbour (Vanek, Mandel, Brezina, doi 10.1007/BF02238511).
std::vector<LocalIndex> aggregates_of(const Csr& a, double strong, LocalIndex& count) {
  std::vector<LocalIndex> aggregate(a.num_rows(), none);
  count = aggregate_neighbourhoods(a, strong, aggregate);
  const std::vector<LocalIndex> first = aggregate;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    double most = 0;
    for (std::size_t k = a.offsets[row]; first[row] == none && k < a.offsets[row + 1]; ++k) {
      const LocalIndex neighbour = first[static_cast<std::size_t>(a.columns[k])];
      if (neighbour != none && std::abs(a.values[k]) > most) {
        most = std::abs(a.values[k]);
        aggregate[row] = neighbour;
      }
    }
    if (aggregate[row] == none) {
      aggregate[row] = count++;
    }
  }
  return aggregate;
}

/// The sums of the entries between aggregates.
Matrix coarse_matrix(Matrix& fine, const std::vector<LocalIndex>& aggregates, LocalIndex count) {
  const Range range = number(fine.comm(), count);
  std::vector<double> numbers(aggregates.size()); // of all ranks; exact as doubles
  std::transform(aggregates.begin(), aggregates.end(), numbers.begin(),
                 [&range](LocalIndex i) { return static_cast<double>(range.first + i); });
  std::vector<double> copies(fine.copies().size());
  fine.halo().forward(fine.comm(), 1, numbers, copies);
  std::vector<std::vector<std::pair<GlobalIndex, double>>> entries(static_cast<std::size_t>(count));
  const Csr& own = fine.own();
  for (std::size_t row = 0; row < own.num_rows(); ++row) {
    auto& target = entries[static_cast<std::size_t>(aggregates[row])];
    for (std::size_t k = own.offsets[row]; k < own.offsets[row + 1]; ++k) {
      const LocalIndex to = aggregates[static_cast<std::size_t>(own.columns[k])];
      target.emplace_back(range.first + to, own.values[k]);
    }
  }
  const Csr& border = fine.border();
  for (std::size_t i = 0; i < border.num_rows(); ++i) {
    const auto row = static_cast<std::size_t>(fine.border_rows()[i]);
    auto& target = entries[static_cast<std::size_t>(aggregates[row])];
    for (std::size_t k = border.offsets[i]; k < border.offsets[i + 1]; ++k) {
      const double to = copies[static_cast<std::size_t>(border.columns[k])];
      target.emplace_back(static_cast<GlobalIndex>(to), border.values[k]);
    }
  }
  GlobalRows rows;
  for (const auto& row : entries) {
    for (const auto& [column, value] : row) {
      rows.add(column, value);
    }
    rows.end_row();
  }
  return make_matrix(fine.comm(), rows);
}

} // namespace

Multigrid::Multigrid(Matrix& matrix, Settings settings) : settings_(settings) {
  const comm::Comm& comm = matrix.comm();
  add_level(&matrix, nullptr);
  GlobalIndex rows = number(comm, matrix.num_rows()).total;
  while (rows > settings_.coarsest && static_cast<int>(levels_.size()) < settings_.most_levels) {
    Level& fine = levels_.back();
    LocalIndex count = 0;
    std::vector<LocalIndex> aggregates = aggregates_of(fine.matrix->own(), settings_.strong, count);
    const GlobalIndex left = number(comm, count).total;
    constexpr double least_gain = 0.9;
    if (static_cast<double>(left) > least_gain * static_cast<double>(rows)) {
      break; // one row per rank is left, or nothing is coupled
    }
    auto coarse = std::make_unique<Matrix>(coarse_matrix(*fine.matrix, aggregates, count));
    fine.aggregates = std::move(aggregates);
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
  Level level{matrix, std::move(owned), matrix->diagonal(), {}, {}, {}, {}};
  for (double& value : level.inverse) {
    value = value == 0 ? 0 : damping / value;
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
  std::fill(coarse.r.begin(), coarse.r.end(), 0);
  for (std::size_t i = 0; i < level.z.size(); ++i) {
    coarse.r[static_cast<std::size_t>(level.aggregates[i])] += level.r[i] - level.product[i];
  }
  cycle(index + 1);
  for (std::size_t i = 0; i < level.z.size(); ++i) {
    level.z[i] +=
        settings_.overcorrection * coarse.z[static_cast<std::size_t>(level.aggregates[i])];
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
