// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/shared_file.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#ifndef ISTHMUS_SIMULATED
#include "isthmus/io/mpi_file.hpp"
#endif

#include <algorithm>

namespace isthmus::io {

namespace {

/// Collective.
void write_parts(const comm::Comm& comm, const std::filesystem::path& path,
                 std::span<const FilePart> parts, Durability durability) {
#ifndef ISTHMUS_SIMULATED // no files through MPI there
  if (comm.raw() != MPI_COMM_NULL) {
    return write_through_mpi(comm, part_of(path), parts, durability);
  }
#endif
  comm::agree(comm, [&] { write_into_part(path, parts, durability); });
}

void read_rooms(const std::filesystem::path& path, std::span<const FileRoom> rooms) {
  for (const FileRoom& room : rooms) {
    const auto bytes = read_bytes(path, room.offset, room.bytes.size());
    check(bytes.size() == room.bytes.size(), "\"{}\" ends too early; it was cut off",
          path.string());
    std::copy(bytes.begin(), bytes.end(), room.bytes.begin());
  }
}

} // namespace

void write_shared(const comm::Comm& comm, const std::filesystem::path& path, std::uint64_t size,
                  std::span<const FilePart> parts, Durability durability) {
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      create_part(path, size);
    }
  });
  try {
    write_parts(comm, path, parts, durability);
  } catch (const Error&) { // on all ranks
    if (comm.is_root()) {
      remove_part(path);
    }
    throw;
  }
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      publish_part(path, size, durability);
    }
  });
}

void read_shared(const comm::Comm& comm, const std::filesystem::path& path,
                 std::span<const FileRoom> rooms) {
#ifndef ISTHMUS_SIMULATED
  if (comm.raw() != MPI_COMM_NULL) {
    return read_through_mpi(comm, path, rooms);
  }
#endif
  comm::agree(comm, [&] { read_rooms(path, rooms); });
}

} // namespace isthmus::io
