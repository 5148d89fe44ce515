// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/cluster_rows.hpp"
#include "isthmus/radial/kernels/function_values.hpp"
#include "isthmus/radial/kernels/kernels.hpp"
#include "isthmus/radial/kernels/small_factors.hpp"

#include <cstddef>

namespace isthmus::radial {

/// Those that the including source is compiled to, which passes a `Tag` of its own.
template <typename Tag, std::size_t Width>
[[nodiscard]] constexpr Kernels make_kernels() {
  using Factors = SmallFactors<Tag, Width>;
  using Rows = ClusterRows<Tag, Width>;
  return {Factors::factor_definite,
          Factors::factor_any,
          Factors::solve_definite,
          Factors::solve_any,
          Rows::distances2,
          Rows::distances2_of_lanes,
          Rows::correct,
          Rows::spread,
          FunctionValues<Tag>::apply};
}

} // namespace isthmus::radial
