// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/update.hpp"

#include "isthmus/acceleration/dots.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus::acceleration {

int Update::solve(Secants& secants, std::span<const double> weights,
                  const QuasiNewtonSettings& settings) {
  const std::size_t n = secants.size();
  secants.weigh(weights, n, gram_, rhs_);
  factor_.compute(gram_, n, settings.filter, settings.filter_limit);
  const auto kept = factor_.kept();
  const int deleted = secants.keep(kept);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    rhs_[i] = -rhs_[kept[i]];
  }
  factor_.solve(rhs_);
  columns_.assign(secants.w().begin(), secants.w().end());
  coefficients_.resize(kept.size());
  std::transform(rhs_.begin(), rhs_.begin() + std::ssize(kept), coefficients_.begin(),
                 [](Twofold c) { return c.value; });
  return deleted;
}

void Update::add(std::span<const double* const> columns, std::span<const double> coefficients) {
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
}

void Update::write(std::span<const double> output, std::span<const Iterate> fields) const {
  std::size_t begin = 0;
  for (const Iterate& field : fields) {
    combine(columns_, coefficients_, output.data(), begin, field.output);
    begin += field.output.size();
  }
}

} // namespace isthmus::acceleration
