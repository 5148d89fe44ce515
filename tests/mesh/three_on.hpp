// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/mesh.hpp"

#include <vector>

namespace isthmus::mesh {

/// Vertices at 10 r, 10 r + 1, 10 r + 2 of a line, of rank r.
inline Mesh three_on(int rank) {
  return {"N", 2, {10.0 * rank, 0, 10.0 * rank + 1, 0, 10.0 * rank + 2, 0}, {}, {}};
}

} // namespace isthmus::mesh
