// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"

#include <cstddef>
#include <span>

namespace isthmus::acceleration {

/// x_{k+1} = x_k + factor · (H(x_k) - x_k), for all samples of all fields.
inline void relax(std::span<const Iterate> fields, double factor) {
  for (const auto& [input, output] : fields) {
    for (std::size_t i = 0; i < output.size(); ++i) {
      output[i] = input[i] + factor * (output[i] - input[i]);
    }
  }
}

} // namespace isthmus::acceleration
