// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus {

/// Of a vertex of a mesh on one rank, as the call that sets it, or asks for it, says.
using VertexId = int;

} // namespace isthmus
