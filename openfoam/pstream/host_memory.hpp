// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace isthmus::openfoam {

/// Memory that processes of one host share, all zero at first. It has no name, so it goes with the
/// last of them, however they end.
class HostMemory {
 public:
  /// Collective over processes of one host.
  HostMemory(MPI_Comm host, std::size_t bytes);
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory();

  /// Begins at a page; the same for all: empty where memory cannot be shared.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

} // namespace isthmus::openfoam
