// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/preconditioning.hpp"

#include <numbers>

namespace isthmus::flow {

double least_slowing(double mach, double step) {
  const double crossing = step > 0 ? 1 / (std::numbers::pi * step) : 0;
  return std::min(1.0, std::max(mach * mach, crossing * crossing));
}

} // namespace isthmus::flow
