// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_values.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>

namespace isthmus::io {

namespace {

void check_size(const BlockStorage& block, std::size_t size) {
  check(size == block.stored(),
        "a block of {} x {} x {} cells, {} halo layers and {} fields has {} values; {} were given",
        block.cells[0], block.cells[1], block.cells[2], block.halo, block.fields, block.stored(),
        size);
}

} // namespace

BlockStorage storage_of(const BlockGrid& grid, std::size_t block, std::uint32_t halo) {
  check(block < grid.cells.size(), "there is no block {}; the file has {}", block,
        grid.cells.size());
  return {grid.cells[block], halo, grid.snapshots * grid.variables.size()};
}

void pack(const BlockStorage& block, std::span<const double> stored, double* packed) {
  check_size(block, stored.size());
  block.for_each_row([&](std::size_t first) {
    packed = std::copy_n(stored.data() + first, block.cells[0], packed);
  });
}

void unpack(const BlockStorage& block, const double* packed, std::span<double> stored) {
  check_size(block, stored.size());
  block.for_each_row([&](std::size_t first) {
    std::copy_n(packed, block.cells[0], stored.data() + first);
    packed += block.cells[0];
  });
}

} // namespace isthmus::io
