// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/time_terms.hpp"
#include "isthmus/io/blocks/block_index.hpp"

#include <filesystem>
#include <vector>

namespace isthmus::flow {

/// Collective. What all walls of a boundary feel, per snapshot: force along x, y, z and moment
/// about the pivot around z, over the dynamic pressure of the free stream. Axes are those of the
/// grid. The solution must be complete (Solution::complete). The same bits on all ranks, however
/// many.
[[nodiscard]] std::vector<Load> wall_loads(const comm::Comm& comm, const Solution& solution);

/// Collective. The conserved values, and with dual steps those one step before, in a block file.
void write_restart(const comm::Comm& comm, const std::filesystem::path& path,
                   const Solution& solution, const TimeTerms& time, const io::BlockMoment& moment);

/// Collective. Reads what any number of ranks wrote; returns its moment. Throws Error on all ranks
/// if it is of another grid, has other snapshots, or holds no numbers.
io::BlockMoment read_restart(const comm::Comm& comm, const std::filesystem::path& path,
                             Solution& solution, TimeTerms& time);

/// Collective. Density, velocity, pressure and Mach number in the cells, for ParaView; of one
/// snapshot. Does nothing, and returns false, where the program was built without HDF5.
bool write_fields(const comm::Comm& comm, const std::filesystem::path& path,
                  const Solution& solution, int snapshot, const io::BlockMoment& moment);

} // namespace isthmus::flow
