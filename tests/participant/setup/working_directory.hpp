// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace couple {

/// A working directory that all processes share, until the end of the test.
class WorkingDirectory {
 public:
  WorkingDirectory() : before_(std::filesystem::current_path()), world_(MPI_COMM_WORLD) {
    if (world_.is_root()) {
      path_ = std::filesystem::temp_directory_path() / "isthmus-outputs-XXXXXX";
      REQUIRE(mkdtemp(path_.data()) != nullptr);
    }
    isthmus::comm::bcast(world_, path_);
    std::filesystem::current_path(path_);
  }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;
  ~WorkingDirectory() {
    std::filesystem::current_path(before_);
    isthmus::comm::barrier(world_);
    if (world_.is_root()) {
      std::filesystem::remove_all(path_);
    }
  }
  [[nodiscard]] bool is_root() const { return world_.is_root(); }

 private:
  std::filesystem::path before_;
  std::string path_;
  isthmus::comm::Comm world_;
};

} // namespace couple
