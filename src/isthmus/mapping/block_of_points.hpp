// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace isthmus::mapping {

/// So many points are one piece of work for a thread.
constexpr std::size_t block_of_points = 4096;

} // namespace isthmus::mapping
