// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_system.hpp"

#include "isthmus/partition/order.hpp"

#include <algorithm>

namespace isthmus::openfoam {

namespace {

std::vector<LocalIndex> order_of_ranks(const SmallPattern& pattern) {
  std::vector<std::size_t> offsets{0};
  std::vector<LocalIndex> neighbours;
  for (std::size_t rank = 0; rank < pattern.num_ranks(); ++rank) {
    for (std::size_t side = 0; side < pattern.num_sides; ++side) {
      const int other = pattern.rank_at(rank, side);
      const auto own = neighbours.begin() + static_cast<std::ptrdiff_t>(offsets.back());
      if (other >= 0 && std::find(own, neighbours.end(), other) == neighbours.end()) {
        neighbours.push_back(other);
      }
    }
    offsets.push_back(neighbours.size());
  }
  return partition::reverse_cuthill_mckee({offsets, neighbours});
}

/// Calls take(row, column, value) for each entry: functions of all ranks.
template <typename Take>
void for_entries(const SmallPattern& pattern, std::span<const double> rows, const Take& take) {
  const std::size_t n = pattern.num_functions;
  const double* value = rows.data();
  for (std::size_t rank = 0; rank < pattern.num_ranks(); ++rank) {
    for (std::size_t block = 0; block <= pattern.num_sides; ++block, value += n * n) {
      const int other = block == 0 ? static_cast<int>(rank) : pattern.rank_at(rank, block - 1);
      for (std::size_t i = 0; other >= 0 && i < n * n; ++i) {
        take(rank * n + i % n, static_cast<std::size_t>(other) * n + i / n, value[i]);
      }
    }
  }
}

/// The other way for a matrix that has no factor of Cholesky.
std::vector<double> dense(const SmallPattern& pattern, std::span<const double> rows, double sign) {
  const std::size_t number = pattern.first.size();
  std::vector<double> small(number * number, 0);
  for_entries(pattern, rows, [&](std::size_t row, std::size_t column, double value) {
    const LocalIndex i = pattern.numbers[row];
    const LocalIndex j = pattern.numbers[column];
    if (i >= 0 && j >= 0) {
      const auto at = static_cast<std::size_t>(i);
      const auto to = static_cast<std::size_t>(j);
      small[at * number + to] += sign * value / 2;
      small[to * number + at] += sign * value / 2;
    }
  });
  return small;
}

} // namespace

SmallPattern::SmallPattern(std::size_t functions, std::size_t sides, std::vector<int> of_ranks)
    : num_functions(functions), num_sides(sides), about_ranks(std::move(of_ranks)) {
  numbers.assign(num_ranks() * functions, -1);
  std::vector<LocalIndex> begins(num_ranks(), 0); // the first number of each rank
  LocalIndex number = 0;
  const auto order = order_of_ranks(*this);
  for (const LocalIndex at : order) {
    const auto rank = static_cast<std::size_t>(at);
    begins[rank] = number;
    for (std::size_t k = 0; k < functions; ++k) {
      if (has(rank, k)) {
        numbers[rank * functions + k] = number++;
      }
    }
  }
  for (const LocalIndex at : order) {
    const auto rank = static_cast<std::size_t>(at);
    LocalIndex least = begins[rank];
    for (std::size_t side = 0; side < sides; ++side) {
      const int other = rank_at(rank, side);
      least = other < 0 ? least : std::min(least, begins[static_cast<std::size_t>(other)]);
    }
    for (std::size_t k = 0; k < functions; ++k) {
      if (has(rank, k)) {
        first.push_back(least);
      }
    }
  }
}

SmallSystem::SmallSystem(const SmallPattern& pattern, std::span<const double> rows)
    : pattern_(&pattern), number_(pattern.first.size()), sparse_(pattern.first) {
  const std::size_t n = pattern.num_functions;
  double trace = 0;
  for (std::size_t i = 0; i < rows.size(); i += (pattern.num_sides + 1) * n * n) {
    for (std::size_t k = 0; k < n; ++k) {
      trace += rows[i + k * (n + 1)];
    }
  }
  sign_ = trace < 0 ? -1 : 1;
  for_entries(pattern, rows, [&](std::size_t row, std::size_t column, double value) {
    const LocalIndex i = pattern.numbers[row];
    const LocalIndex j = pattern.numbers[column];
    if (i >= 0 && j >= 0) { // half of it, and half of what is across, which rounding makes differ
      sparse_.at(std::max(i, j), std::min(i, j)) += sign_ * (i == j ? value : value / 2);
    }
  });
  is_dense_ = !sparse_.factorize();
  if (is_dense_) {
    dense_ = la::SymmetricSolver(dense(pattern, rows, sign_), number_);
  }
}

void SmallSystem::solve(std::span<double> values) const {
  std::vector<double> unknowns(number_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const LocalIndex number = pattern_->numbers[i]; number >= 0) {
      unknowns[static_cast<std::size_t>(number)] = sign_ * values[i];
    }
  }
  if (is_dense_) {
    dense_.solve(unknowns);
  } else {
    sparse_.solve(unknowns);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const LocalIndex number = pattern_->numbers[i];
    values[i] = number < 0 ? 0 : unknowns[static_cast<std::size_t>(number)];
  }
}

} // namespace isthmus::openfoam
