// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/shared_file.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::io {

/// MPI's description of all parts of a rank, in memory and in the file: with it one call moves
/// everything, however many and however long the parts are.
class PartTypes {
 public:
  explicit PartTypes(std::span<const FilePart> parts);
  explicit PartTypes(std::span<const FileRoom> rooms);
  PartTypes(const PartTypes&) = delete;
  PartTypes& operator=(const PartTypes&) = delete;
  ~PartTypes();

  /// Relative to MPI_BOTTOM.
  [[nodiscard]] MPI_Datatype memory() const { return memory_; }
  [[nodiscard]] MPI_Datatype file() const { return file_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Pieces, of which those that touch in the file and in memory are one.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  MPI_Datatype memory_ = MPI_DATATYPE_NULL;
  MPI_Datatype file_ = MPI_DATATYPE_NULL;
  std::uint64_t bytes_ = 0;
  std::uint64_t runs_ = 0;
};

} // namespace isthmus::io
