// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/mpi_file.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/part_types.hpp"

#include <mpi.h>

#include <cstdint>
#include <utility>

namespace isthmus::io {

namespace {

/// What went wrong with MPI on this rank, in words.
void check_file(int code, const char* call, const std::filesystem::path& path) {
  try {
    comm::check_mpi(code, call);
  } catch (const Error& error) {
    fail("\"{}\": {}; check the space, the limits and the permissions there", path.string(),
         error.what());
  }
}

/// An open MPI file. Every member function is collective and fails on all ranks together.
class MpiFile {
 public:
  MpiFile(const comm::Comm& comm, std::filesystem::path path, int mode)
      : comm_(comm), path_(std::move(path)) {
    const int code = MPI_File_open(comm.raw(), path_.c_str(), mode, MPI_INFO_NULL, &file_);
    comm::agree(comm, [&] { check_file(code, "MPI_File_open", path_); });
  }
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;
  ~MpiFile() {
    if (file_ != MPI_FILE_NULL) {
      MPI_File_close(&file_);
    }
  }

  void write(const PartTypes& types, Durability durability) {
    transfer(types, [&](MPI_Status& status) {
      return MPI_File_write_at_all(file_, 0, MPI_BOTTOM, 1, types.memory(), &status);
    });
    const int synced = durability == Durability::power ? MPI_File_sync(file_) : MPI_SUCCESS;
    const int closed = MPI_File_close(&file_);
    comm::agree(comm_, [&] {
      check_file(synced, "MPI_File_sync", path_);
      check_file(closed, "MPI_File_close", path_);
    });
  }

  void read(const PartTypes& types) {
    transfer(types, [&](MPI_Status& status) {
      return MPI_File_read_at_all(file_, 0, MPI_BOTTOM, 1, types.memory(), &status);
    });
  }

 private:
  template <typename Call>
  void transfer(const PartTypes& types, Call&& call) {
    const int seen = MPI_File_set_view(file_, 0, MPI_BYTE, types.file(), "native", MPI_INFO_NULL);
    comm::agree(comm_, [&] { check_file(seen, "MPI_File_set_view", path_); });
    MPI_Status status;
    const int code = call(status);
    comm::agree(comm_, [&] {
      check_file(code, "a collective operation on the file", path_);
      MPI_Count moved = 0;
      MPI_Get_elements_x(&status, MPI_BYTE, &moved);
      check(static_cast<std::uint64_t>(moved) == types.bytes(),
            "\"{}\": {} of {} bytes were moved; the file is too short or the disk is full",
            path_.string(), moved, types.bytes());
    });
  }

  const comm::Comm& comm_;
  std::filesystem::path path_;
  MPI_File file_ = MPI_FILE_NULL;
};

} // namespace

void write_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                       std::span<const FilePart> parts, Durability durability) {
  const PartTypes types(parts);
  MpiFile(comm, path, MPI_MODE_WRONLY).write(types, durability);
}

void read_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                      std::span<const FileRoom> rooms) {
  const PartTypes types(rooms);
  MpiFile(comm, path, MPI_MODE_RDONLY).read(types);
}

} // namespace isthmus::io
