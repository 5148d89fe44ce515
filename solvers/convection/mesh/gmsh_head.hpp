// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::convection {

/// What stands before the nodes, and where these begin.
struct GmshHead {
  bool is_new = false;                      // 4.1
  std::map<int, std::string> names;         // of physical surfaces
  std::map<int, std::vector<int>> surfaces; // their physical groups
  std::int64_t bytes = 0;                   // up to and with the line $Nodes; on rank 0, as lines
  std::int64_t lines = 0;
};

/// Collective. Rank 0 reads it. Throws Error on all ranks, naming file and line.
[[nodiscard]] GmshHead read_gmsh_head(const comm::Comm& comm, const std::filesystem::path& file);

/// Without blanks and carriage returns at its end.
[[nodiscard]] std::string_view without_end(std::string_view line);

} // namespace isthmus::convection
