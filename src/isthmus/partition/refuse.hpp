// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

namespace isthmus::partition {

/// Collective. Throws on all ranks unless 1 <= parts, the same everywhere, and there are enough of
/// the `count` things (vertices, points) or parts may be empty.
void refuse_parts(const comm::Comm& comm, int parts, GlobalIndex count, const char* things,
                  bool empty_parts);

} // namespace isthmus::partition
