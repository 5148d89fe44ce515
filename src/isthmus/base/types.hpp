// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace isthmus {

using LocalIndex = std::int32_t;  // position within one process
using GlobalIndex = std::int64_t; // position within all processes of a participant

} // namespace isthmus
