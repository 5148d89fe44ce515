// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/shared_file.hpp"

#include <filesystem>
#include <span>

namespace isthmus::io {

/// Collective. One collective call of MPI-IO into a file that exists. Throws Error on all ranks.
void write_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                       std::span<const FilePart> parts, Durability durability);

/// Collective. The same for reading.
void read_through_mpi(const comm::Comm& comm, const std::filesystem::path& path,
                      std::span<const FileRoom> rooms);

} // namespace isthmus::io
