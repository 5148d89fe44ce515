// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"

#include <span>
#include <string_view>

namespace isthmus::acceleration {

/// The values saved under `name`. Throws an Error unless there are as many as `count` says (any
/// number if negative).
[[nodiscard]] std::span<const double> find_state_array(std::span<const StateArray> arrays,
                                                       std::string_view name,
                                                       std::ptrdiff_t count = -1);

} // namespace isthmus::acceleration
