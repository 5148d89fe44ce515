// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/grid.hpp"
#include "isthmus/comm/comm.hpp"

#include <vector>

namespace isthmus::flow {

/// Collective. How far the centre of each own cell lies from the nearest face of a no-slip wall of
/// any rank: per own piece stored() values, of which ghosts have 0. Faces are the lines of a flat
/// grid, else two triangles each. The same bits on any ranks and pieces. Walls beyond periodic
/// sides are not seen. Each rank holds all faces of walls meanwhile. Throws Error on all ranks if
/// there is no such wall.
[[nodiscard]] std::vector<std::vector<double>> wall_distances(const comm::Comm& comm,
                                                              const Grid& grid);

} // namespace isthmus::flow
