// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// One file of many ranks through MPI-IO: each rank names what it has and where that goes, and MPI
/// gathers it into few large operations on the disk. A serial Comm uses plain system calls.
namespace isthmus::io {

/// Bytes of this rank and their place in the file.
struct FilePart {
  std::uint64_t offset;
  std::span<const std::byte> bytes;
};

/// Where this rank wants bytes of the file.
struct FileRoom {
  std::uint64_t offset;
  std::span<std::byte> bytes;

  operator FilePart() const { return {offset, bytes}; }
};

/// The parts in the order of the file; those that touch there and in memory are one.
[[nodiscard]] std::vector<FilePart> joined(std::span<const FilePart> parts);

/// Collective. Writes a file of `size` bytes, complete or absent, with one collective call per
/// rank. The parts of all ranks must not overlap; what nobody writes is 0. Throws Error on all
/// ranks; an earlier file is then untouched.
void write_shared(const comm::Comm& comm, const std::filesystem::path& path, std::uint64_t size,
                  std::span<const FilePart> parts, Durability durability = Durability::power);

/// Collective. Fills the rooms of this rank, which must not overlap, with one collective call
/// per rank. Throws Error on all ranks, also where the file ends too early.
void read_shared(const comm::Comm& comm, const std::filesystem::path& path,
                 std::span<const FileRoom> rooms);

/// Local. A file under the name part_of(path), by system calls, with space for `size` bytes where
/// the file system can reserve it: a disk that is too full is noticed here, before libraries write
/// that do not always say so (Open MPI's, HDF5).
void create_part(const std::filesystem::path& path, std::uint64_t size);

/// Local. Renames part_of(path), which all ranks have written. Throws Error unless it has `size`
/// bytes.
void publish_part(const std::filesystem::path& path, std::uint64_t size, Durability durability);

/// Local. Where a write failed.
void remove_part(const std::filesystem::path& path);

/// Local. Writes into part_of(path), which exists, by system calls. Throws Error.
void write_into_part(const std::filesystem::path& path, std::span<const FilePart> parts,
                     Durability durability);

/// Local. The first `size` bytes behind `offset`, fewer where the file ends. Throws Error.
[[nodiscard]] std::vector<std::byte> read_bytes(const std::filesystem::path& path,
                                                std::uint64_t offset, std::uint64_t size);

} // namespace isthmus::io
