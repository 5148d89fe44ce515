// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/mpi_file.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/part_types.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>

namespace isthmus::io {

namespace {

/// What happened on this rank to a file that all ranks have open: every step is done whatever the
/// earlier ones returned, since the others wait in it, and looked at together afterwards.
class Steps {
 public:
  explicit Steps(const std::filesystem::path& path) : path_(path) {}

  void add(int code, const char* call) {
    if (!failure_) {
      try {
        comm::check_mpi(code, call);
      } catch (const Error& error) {
        failure_ = fmt::format("\"{}\": {}; check the space, the limits and the permissions there",
                               path_.string(), error.what());
      }
    }
  }
  void expect_bytes(const MPI_Status& status, std::uint64_t bytes) {
    MPI_Count moved = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &moved);
    if (!failure_ && static_cast<std::uint64_t>(moved) != bytes) {
      failure_ = fmt::format(
          "\"{}\": {} of {} bytes were moved; the file is too short or the disk is full",
          path_.string(), moved, bytes);
    }
  }
  /// Collective.
  void agree(const comm::Comm& comm) const { comm::agree_on(comm, failure_); }

 private:
  const std::filesystem::path& path_;
  std::optional<std::string> failure_;
};

/// Hints for a transfer of `bytes` in `runs` pieces on this rank: where pieces are long, gathering
/// them on few ranks only copies once more. Collective, the same on all ranks.
class Hints {
 public:
  Hints(const comm::Comm& comm, const PartTypes& types) {
    constexpr std::uint64_t long_run = std::uint64_t{1} << 20;
    const bool has_short = types.runs() > 0 && types.bytes() / types.runs() < long_run;
    if (comm::allreduce(comm, has_short ? 1 : 0, comm::Op::max) == 0) {
      MPI_Info_create(&info_);
      MPI_Info_set(info_, "collective_buffering", "false"); // Open MPI
      MPI_Info_set(info_, "romio_cb_write", "disable");     // MPICH and its kin
      MPI_Info_set(info_, "romio_cb_read", "disable");
    }
  }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  ~Hints() {
    if (info_ != MPI_INFO_NULL) {
      MPI_Info_free(&info_);
    }
  }
  [[nodiscard]] MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Collective.
MPI_File open(const comm::Comm& comm, const std::filesystem::path& path, int mode,
              const Hints& hints) {
  MPI_File file = MPI_FILE_NULL;
  Steps steps(path);
  steps.add(MPI_File_open(comm.raw(), path.c_str(), mode, hints.get(), &file), "MPI_File_open");
  steps.agree(comm);
  return file;
}

/// Collective. Opens the file in this mode; move(file, status) reads or writes.
template <typename Move>
void transfer(const comm::Comm& comm, const std::filesystem::path& path, int mode,
              const PartTypes& types, Durability durability, Move&& move) {
  const Hints hints(comm, types);
  MPI_File file = open(comm, path, mode, hints);
  Steps steps(path);
  steps.add(MPI_File_set_view(file, 0, MPI_BYTE, types.file(), "native", hints.get()),
            "MPI_File_set_view");
  MPI_Status status{};
  steps.add(move(file, &status), "a collective operation on the file");
  steps.expect_bytes(status, types.bytes());
  if (durability == Durability::power) {
    steps.add(MPI_File_sync(file), "MPI_File_sync");
  }
  steps.add(MPI_File_close(&file), "MPI_File_close");
  steps.agree(comm);
}

} // namespace

void write_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                       std::span<const FilePart> parts, Durability durability) {
  const PartTypes types(parts);
  transfer(comm, path, MPI_MODE_WRONLY, types, durability,
           [&types](MPI_File file, MPI_Status* status) {
             return MPI_File_write_at_all(file, 0, MPI_BOTTOM, 1, types.memory(), status);
           });
}

void read_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                      std::span<const FileRoom> rooms) {
  const PartTypes types(rooms);
  transfer(comm, path, MPI_MODE_RDONLY, types, Durability::process,
           [&types](MPI_File file, MPI_Status* status) {
             return MPI_File_read_at_all(file, 0, MPI_BOTTOM, 1, types.memory(), status);
           });
}

} // namespace isthmus::io
