// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/blocks/block_index.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::io {

/// How a solver stores a block: 64-bit floats, i fastest, then j, k, variables, snapshots, with
/// `halo` layers of cells around the block in each direction.
struct BlockStorage {
  Cells cells{};
  std::uint32_t halo = 0;
  std::uint64_t fields = 1; // variables × snapshots

  [[nodiscard]] std::size_t extent(int axis) const {
    return cells[static_cast<std::size_t>(axis)] + 2 * std::size_t{halo};
  }
  /// With halos.
  [[nodiscard]] std::size_t stored() const { return extent(0) * extent(1) * extent(2) * fields; }
  /// Without.
  [[nodiscard]] std::size_t interior() const {
    return std::size_t{cells[0]} * cells[1] * cells[2] * fields;
  }
  /// Calls `visit(first)` with the position of each interior row's first cell, in the order of
  /// files.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    for (std::size_t field = 0; field < fields; ++field) {
      for (std::size_t k = 0; k < cells[2]; ++k) {
        for (std::size_t j = 0; j < cells[1]; ++j) {
          visit(((field * extent(2) + k + halo) * extent(1) + j + halo) * extent(0) + halo);
        }
      }
    }
  }
};

/// How a solver stores a block of a file with all its variables and snapshots. Throws an Error if
/// there is no such block.
[[nodiscard]] BlockStorage storage_of(const BlockGrid& grid, std::size_t block, std::uint32_t halo);

/// Copies the interior, row by row, from `stored` to `packed` (interior() values).
void pack(const BlockStorage& block, std::span<const double> stored, double* packed);

/// The way back; halos keep what they hold.
void unpack(const BlockStorage& block, const double* packed, std::span<double> stored);

} // namespace isthmus::io
