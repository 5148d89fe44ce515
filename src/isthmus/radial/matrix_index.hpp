// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace isthmus::radial {

/// Eigen counts with signs.
[[nodiscard]] inline std::ptrdiff_t index(std::size_t i) {
  return static_cast<std::ptrdiff_t>(i);
}

} // namespace isthmus::radial
