// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <string>

namespace isthmus::openfoam {

namespace {

/// Memory of another process, or the own, by its number there.
void* map(const std::string& file, std::size_t bytes) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    return MAP_FAILED;
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return memory;
}

} // namespace

HostMemory::HostMemory(MPI_Comm host, std::size_t bytes) {
  int own = 0;
  MPI_Comm_rank(host, &own);
  std::array<int, 2> root{getpid(), -1}; // the process that owns the memory, and its number there
  if (own == 0) {
    root[1] = memfd_create("isthmus", MFD_CLOEXEC);
    if (root[1] >= 0 && ftruncate(root[1], static_cast<off_t>(bytes)) != 0) {
      close(root[1]);
      root[1] = -1;
    }
  }
  MPI_Bcast(root.data(), 2, MPI_INT, 0, host);
  void* memory = map("/proc/" + std::to_string(root[0]) + "/fd/" + std::to_string(root[1]), bytes);
  int is_shared = memory != MAP_FAILED ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_shared, 1, MPI_INT, MPI_MIN, host);
  if (own == 0 && root[1] >= 0) {
    close(root[1]);
  }
  if (is_shared != 0) {
    bytes_ = {static_cast<std::byte*>(memory), bytes};
  } else if (memory != MAP_FAILED) {
    munmap(memory, bytes);
  }
}

HostMemory::~HostMemory() {
  if (!bytes_.empty()) {
    munmap(bytes_.data(), bytes_.size());
  }
}

} // namespace isthmus::openfoam
