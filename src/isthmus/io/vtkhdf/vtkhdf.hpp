// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// Meshes in VTKHDF files (an unstructured grid, version 2.0): one file for ParaView and for
/// restart. Vertices and cells stand in global order in one piece, so that the file does not depend
/// on the ranks that wrote it. The group /isthmus holds time, step and a CRC-32C of each array.
namespace isthmus::io {

/// Values at vertices or cells, components together.
struct HdfField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

/// What one rank has of a mesh: consecutive vertices and cells of the whole.
struct HdfMesh {
  std::vector<double> coordinates;       // 3 per vertex
  std::vector<GlobalIndex> connectivity; // global numbers of vertices
  std::vector<GlobalIndex> cell_ends;    // per cell, where its vertices end in connectivity
  std::vector<std::uint8_t> cell_types;  // VTK's numbers
  std::vector<HdfField> point_fields;    // the same names in the same order on all ranks
  std::vector<HdfField> cell_fields;
  double time = 0; // seconds; rank 0's counts, as step's
  std::int64_t step = 0;

  [[nodiscard]] std::size_t num_vertices() const { return coordinates.size() / 3; }
  [[nodiscard]] std::size_t num_cells() const { return cell_types.size(); }
};

/// Collective. Writes all ranks' parts, in the order of the ranks, with one collective call per
/// array. Complete or absent. Throws Error on all ranks; an earlier file then stays.
void write_vtkhdf(const comm::Comm& comm, const std::filesystem::path& path, const HdfMesh& part,
                  Durability durability = Durability::power);

/// Collective. Deals the vertices and the cells of a file equally over the ranks, however many
/// wrote it. Throws Error on all ranks if it is missing, foreign or damaged.
[[nodiscard]] HdfMesh read_vtkhdf(const comm::Comm& comm, const std::filesystem::path& path);

} // namespace isthmus::io
