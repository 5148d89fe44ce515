// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/envelope.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/la/vector.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::la {

EnvelopeSolver::EnvelopeSolver(std::vector<LocalIndex> first) : first_(std::move(first)) {
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const auto row = static_cast<LocalIndex>(i);
    check(first_[i] >= 0 && first_[i] <= row,
          "row {} of an envelope begins in column {}; it is one of 0 to {}", i, first_[i], i);
    ends_.push_back(ends_.back() + static_cast<std::size_t>(row - first_[i]) + 1);
  }
  values_.assign(ends_.back(), 0);
}

bool EnvelopeSolver::factorize() {
  constexpr double least_pivot = 1e-14; // of the largest: what is less may be a rounding error
  double least = 0;
  double most = 0;
  const auto rows = static_cast<LocalIndex>(size());
  for (LocalIndex i = 0; i < rows; ++i) {
    const LocalIndex begin = first_[static_cast<std::size_t>(i)];
    for (LocalIndex j = begin; j < i; ++j) {
      const LocalIndex both = std::max(begin, first_[static_cast<std::size_t>(j)]);
      const double known = local_dot(part(i, both, j), part(j, both, j));
      at(i, j) = (at(i, j) - known) / at(j, j);
    }
    const auto row = part(i, begin, i);
    const double pivot = at(i, i) - local_dot(row, row);
    most = std::max(most, pivot);
    least = i == 0 ? pivot : std::min(least, pivot);
    if (!(least > least_pivot * most)) {
      return false;
    }
    at(i, i) = std::sqrt(pivot);
  }
  return true;
}

void EnvelopeSolver::solve(std::span<double> b) const {
  check(b.size() == size(), "a system of {} equations was given {} right-hand sides", size(),
        b.size());
  for (std::size_t i = 0; i < size(); ++i) {
    const auto row = static_cast<LocalIndex>(i);
    const auto known = part(row, first_[i], row);
    b[i] -= local_dot(known, b.subspan(i - known.size(), known.size()));
    b[i] /= values_[ends_[i + 1] - 1];
  }
  for (std::size_t i = size(); i-- > 0;) {
    const auto row = static_cast<LocalIndex>(i);
    const auto known = part(row, first_[i], row);
    b[i] /= values_[ends_[i + 1] - 1];
    const auto before = b.subspan(i - known.size(), known.size());
    for (std::size_t k = 0; k < known.size(); ++k) {
      before[k] -= known[k] * b[i];
    }
  }
}

} // namespace isthmus::la
