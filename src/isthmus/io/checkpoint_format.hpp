// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/checkpoint.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// The bytes of checkpoints. Integers have the machine's byte order.
///
///     0                   "isthchk1", the 32-bit number 0x01020304, 32-bit version 1
///     16 24               64-bit: ranks, size of the file
///     32 36               32-bit CRC-32C of the bytes 0 to 32, 32-bit 0
///     40                  per rank: 64-bit offset of its chunk, bytes of its table, bytes of its
///                         chunk; 32-bit CRC-32C of its table and of these 28 bytes
///     chunks              table: 64-bit number of sections, and per section: name (64-bit length,
///                         letters), 64-bit first entry or -1, 32-bit width, 64-bit count, 32-bit
///                         CRC-32C of its values; then the values of the sections
namespace isthmus::io::impl {

constexpr std::size_t checkpoint_header_size = 40;
constexpr std::size_t checkpoint_entry_size = 32;

/// Where the chunk of a rank lies.
struct Chunk {
  std::uint64_t offset;
  std::uint64_t table;
  std::uint64_t size; // with the table
  std::uint32_t table_crc;
  std::uint32_t crc; // of all before
};
static_assert(sizeof(Chunk) == checkpoint_entry_size);

[[nodiscard]] std::vector<std::byte> encode_checkpoint_header(std::uint64_t ranks,
                                                              std::uint64_t size);
[[nodiscard]] Chunk make_chunk(std::uint64_t offset, std::span<const std::byte> table,
                               std::uint64_t values);
[[nodiscard]] std::vector<std::byte> encode_table(std::span<const CheckpointSection> sections);

/// The directory and the tables of a file, one after the other. Throws Error naming the file.
[[nodiscard]] std::vector<std::byte> read_contents(const std::filesystem::path& path);

/// From what read_contents returned. Throws Error if the tables contradict themselves.
[[nodiscard]] std::vector<CheckpointSection> parse_contents(std::span<const std::byte> contents,
                                                            int& num_ranks);

} // namespace isthmus::io::impl
