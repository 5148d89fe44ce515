// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"
#include "text_files.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

/// A new folder for all ranks, which disappears at the end. Collective.
class Folder {
 public:
  explicit Folder(const isthmus::comm::Comm& comm) : comm_(comm) {
    const int process = isthmus::comm::bcast(comm, static_cast<int>(getpid()));
    path_ = std::filesystem::temp_directory_path() / fmt::format("isthmus-io-{}", process);
    if (comm.is_root()) {
      std::filesystem::create_directories(path_);
    }
    isthmus::comm::barrier(comm);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    isthmus::comm::barrier(comm_);
    if (comm_.is_root()) {
      std::filesystem::remove_all(path_);
    }
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  const isthmus::comm::Comm& comm_;
  std::filesystem::path path_;
};

inline std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}
