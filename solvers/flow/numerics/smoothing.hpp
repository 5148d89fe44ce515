// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/extent.hpp"

#include <span>

namespace isthmus::flow {

/// Implicit smoothing of changes along i, then j, then k: (1 - e d2) new = old along each line of a
/// block, with nothing through its ends. Jameson (1983), doi:10.1016/0096-3003(83)90019-X. In
/// place, one array of stored() values.
void smooth(const Extent& extent, double strength, std::span<double> values);

} // namespace isthmus::flow
