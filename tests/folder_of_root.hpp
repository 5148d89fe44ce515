// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"

#include <filesystem>
#include <string>

/// Collective. The working folder of rank 0, in which all ranks leave their files.
inline std::string folder_of_root(const isthmus::comm::Comm& comm) {
  std::string folder = std::filesystem::current_path();
  isthmus::comm::bcast(comm, folder);
  return folder;
}
