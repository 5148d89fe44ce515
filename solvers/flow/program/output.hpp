// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/turbulence/turbulence.hpp"
#include "isthmus/io/blocks/block_index.hpp"

#include <filesystem>
#include <vector>

namespace isthmus::flow {

/// Collective. What all walls of a boundary feel, per snapshot: force along x, y, z and moment
/// about the pivot around z, over the dynamic pressure of the free stream. Axes are those of the
/// grid. The solution must be complete (Solution::complete). The same bits on all ranks, however
/// many.
[[nodiscard]] std::vector<Load> wall_loads(const comm::Comm& comm, const Solution& solution);

/// Local. How many cells all blocks have, for a block file.
[[nodiscard]] std::vector<io::Cells> cells_of_blocks(const Topology& topology);

/// The state of a run, of which `turbulence` may be missing.
template <typename SolutionOf, typename TimeOf, typename TurbulenceOf>
struct StateOf {
  SolutionOf& solution;
  TimeOf& time;
  TurbulenceOf* turbulence = nullptr;
};
using State = StateOf<Solution, TimeTerms, Turbulence>;
using ConstState = StateOf<const Solution, const TimeTerms, const Turbulence>;

/// Collective. The conserved values, k and omega if there is turbulence, and with dual steps those
/// one step before, in a block file.
void write_restart(const comm::Comm& comm, const std::filesystem::path& path,
                   const ConstState& state, const io::BlockMoment& moment);

/// Collective. Reads what any number of ranks wrote; returns its moment. Throws Error on all ranks
/// if it is of another grid, has other snapshots, holds no numbers, k or omega that are not
/// positive, or none where there is turbulence, or any where there is none.
io::BlockMoment read_restart(const comm::Comm& comm, const std::filesystem::path& path,
                             const State& state);

/// Collective. Density, velocity, pressure and Mach number in the cells, for ParaView, and what
/// turbulence adds to the viscosity, in parts of that of the gas; of one snapshot. Does nothing,
/// and returns false, where the program was built without HDF5.
bool write_fields(const comm::Comm& comm, const std::filesystem::path& path,
                  const Solution& solution, int snapshot, const io::BlockMoment& moment);

} // namespace isthmus::flow
