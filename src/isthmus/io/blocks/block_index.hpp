// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/shared_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// The format of block files: what the whole run has, in the order of the block numbers. Nothing in
/// it depends on the ranks that wrote it.
///
///     bytes                   content, integers of the machine's byte order
///     0                       "isthblk1", the 32-bit number 0x01020304, 32-bit version 1
///     16 24 32 40 48          64-bit: blocks, snapshots, variables, bytes of names, where data
///     begin 56                      64-bit: size of the file 64 72                   64-bit float:
///     time; 64-bit: step 80 84                   32-bit: CRC-32C of the names; of the bytes 0 to
///     84 88                      names of the variables, a line feed behind each; zeros up to a
///                             multiple of 32
///     then                    per block 32 bytes: 64-bit offset, 32-bit cells along i, j, k,
///     32-bit
///                             CRC-32C of its data, 32-bit 0, 32-bit CRC-32C of these 28 bytes
///     where data begin        per block, 64-bit floats: i runs fastest, then j, k, variables,
///                             snapshots
namespace isthmus::io {

using Cells = std::array<std::uint32_t, 3>; // along i, j, k

/// What is in a file, and known to everybody.
struct BlockGrid {
  std::vector<Cells> cells; // per block
  std::vector<std::string> variables;
  std::uint64_t snapshots = 1;
};

/// What changes from file to file.
struct BlockMoment {
  double time = 0; // seconds
  std::uint64_t step = 0;
};

/// Where everything lies. Depends on the grid alone.
struct BlockLayout {
  explicit BlockLayout(const BlockGrid& grid);

  std::uint64_t index;                // offset of the first entry
  std::vector<std::uint64_t> offsets; // per block, of its data; then the size of the file
  [[nodiscard]] std::uint64_t data() const { return offsets.front(); }
  [[nodiscard]] std::uint64_t size() const { return offsets.back(); }
  [[nodiscard]] std::uint64_t bytes_of(std::size_t block) const {
    return offsets[block + 1] - offsets[block];
  }
};

constexpr std::size_t block_header_size = 88;
constexpr std::size_t block_entry_size = 32;

/// The first bytes of a file, up to the index.
[[nodiscard]] std::vector<std::byte> encode_header(const BlockGrid& grid, const BlockLayout& layout,
                                                   const BlockMoment& moment);

/// The entry of one block in the index.
[[nodiscard]] std::array<std::byte, block_entry_size> encode_entry(const Cells& cells,
                                                                   std::uint64_t offset,
                                                                   std::uint32_t crc);

/// What a file says about itself.
struct BlockIndex {
  BlockGrid grid;
  BlockMoment moment;
  std::vector<std::uint32_t> crcs; // per block
};

/// How many bytes parse_index needs, from the first block_header_size ones of a file of `file_size`
/// bytes. Throws Error naming what is wrong with them.
[[nodiscard]] std::uint64_t index_end(std::span<const std::byte> header, std::uint64_t file_size);

/// From the first index_end() bytes. Throws Error naming what is wrong with them; any bytes are
/// safe.
[[nodiscard]] BlockIndex parse_index(std::span<const std::byte> bytes, std::uint64_t file_size);

/// Local. Throws Error naming the file if it is missing, foreign, cut off or damaged.
[[nodiscard]] BlockIndex read_index(const std::filesystem::path& path);

} // namespace isthmus::io
