// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include <cstddef>

namespace isthmus::radial {

/// Eigen counts with signs.
[[nodiscard]] inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

} // namespace isthmus::radial
