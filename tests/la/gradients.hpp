// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/krylov/solve.hpp"

namespace isthmus::la::testing {

/// Every form of the conjugate gradients.
inline constexpr Method gradients[] = {
    Method::cg,           Method::cg_three,       Method::cg_merged,
    Method::cg_pipelined, Method::cg_repipelined, Method::cg_predicted};

/// With the diagonal as preconditioner.
inline Report run(Matrix& matrix, std::span<const double> b, std::span<double> x,
                  const Settings& settings) {
  Diagonal diagonal(matrix);
  return solve(matrix, diagonal, b, x, settings);
}

} // namespace isthmus::la::testing
