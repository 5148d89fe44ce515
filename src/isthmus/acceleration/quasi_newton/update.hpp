// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/quasi_newton/factor.hpp"
#include "isthmus/acceleration/quasi_newton/secants.hpp"
#include "isthmus/acceleration/settings.hpp"
#include "isthmus/base/twofold.hpp"

#include <span>
#include <vector>

namespace isthmus::acceleration {

/// x_{k+1} - H(x_k): a sum of columns, each with its coefficient.
class Update {
 public:
  /// W c with c = argmin |V c + r| in the weighted norm. Columns that the filter deletes leave the
  /// secants; returns how many.
  int solve(Secants& secants, std::span<const double> weights, const QuasiNewtonSettings& settings);
  /// Adds further columns; they must stay where they are until write().
  void add(std::span<const double* const> columns, std::span<const double> coefficients);
  /// x_{k+1} of all fields into their outputs; `output` is H(x_k), field after field.
  void write(std::span<const double> output, std::span<const Iterate> fields) const;

 private:
  Factor factor_;
  std::vector<Twofold> gram_;
  std::vector<Twofold> rhs_;
  std::vector<const double*> columns_;
  std::vector<double> coefficients_;
};

} // namespace isthmus::acceleration
