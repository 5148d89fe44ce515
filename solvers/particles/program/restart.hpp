// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/export/exporter.hpp"
#include "particles/program/case.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace isthmus::mps {

/// Where a run stands, beside its particles.
struct Moment {
  std::int64_t steps = 0;
  double time = 0;
  std::int64_t num_lost = 0;                // through open sides, of all ranks
  std::int64_t num_files = 0;               // for pictures
  std::vector<io::Exporter::Entry> files{}; // their names and times, on rank 0
};

/// Collective. Writes a file from which any number of ranks can go on. Throws Error on all ranks;
/// an earlier file then stays.
void write_restart(const comm::Comm& comm, const std::filesystem::path& path, const Case& from,
                   State& state, const Moment& moment);

/// Collective. Adds a share of the particles of a file to the state of each rank. Throws Error on
/// all ranks: a file that is missing, damaged or none of particles, one of another spacing or other
/// walls, values that are no numbers.
[[nodiscard]] Moment read_restart(const comm::Comm& comm, const std::filesystem::path& path,
                                  const Case& from, State& to);

} // namespace isthmus::mps
