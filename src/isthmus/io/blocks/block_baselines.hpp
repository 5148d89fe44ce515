// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/atomic_file.hpp"
#include "isthmus/io/blocks/block_index.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

/// How others write blocks, to compare with BlockWriter: the steps of Jackson et al.,
/// doi:10.1016/j.compfluid.2018.03.007, section 3, and what codes do that never thought of it.
namespace isthmus::io {

enum class BlockStage {
  gathered,     // everything to rank 0, which writes block by block
  rows,         // their original: one independent write per row, halos and record marks included
  blocks,       // their first step: one independent write per block and snapshot, same file
  restructured, // their second step: one header of all sizes, no halos, one write per block
};

/// What a rank did.
struct WriteCost {
  std::uint64_t calls = 0; // that write
  std::uint64_t bytes = 0;
};

/// The blocks of one rank as BlockWriter takes them.
struct OwnBlocks {
  const BlockGrid& grid;
  std::span<const std::size_t> numbers; // ascending
  std::uint32_t halo;
  std::span<const std::span<const double>> values;
};

/// Collective. Throws Error on all ranks; the file may then be incomplete, as theirs may.
///
/// rows and blocks write, for each block and snapshot, as Fortran does: a 32-bit length in bytes,
/// the values with halos, the length again. restructured and gathered write three 32-bit counts per
/// block, then the values of each block without halos.
WriteCost write_baseline(const comm::Comm& comm, BlockStage stage,
                         const std::filesystem::path& path, const OwnBlocks& own,
                         Durability durability);

/// Local. The cost of a stage of all ranks together, from the sizes alone.
[[nodiscard]] WriteCost baseline_cost(BlockStage stage, const BlockGrid& grid, std::uint32_t halo);

} // namespace isthmus::io
