// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/face_mesh.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/discrete/tetrahedra.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::discrete {

namespace {

constexpr GlobalIndex axes = 3; // a face has the number of the cell below it times axes, plus axis

/// A face and its cells by their global numbers.
struct Crossing {
  GlobalIndex id, below, above;
};

std::array<GlobalIndex, 3> strides(const FaceGrid& grid) {
  return {1, grid.cells[0], GlobalIndex{grid.cells[0]} * grid.cells[1]};
}

/// Every face of these cells, those between two of them twice.
template <typename Action>
void for_faces(const FaceGrid& grid, std::span<const GlobalIndex> cells, Action action) {
  const auto stride = strides(grid);
  for (const GlobalIndex cell : cells) {
    const auto place = grid.place_of(cell);
    for (std::size_t a = 0; a < 3; ++a) {
      const auto axis = static_cast<GlobalIndex>(a);
      if (place[a] > 0) {
        const GlobalIndex below = cell - stride[a];
        action(cell, below, Crossing{below * axes + axis, below, cell});
      }
      if (place[a] + 1 < grid.cells[a]) {
        const GlobalIndex above = cell + stride[a];
        action(cell, above, Crossing{cell * axes + axis, cell, above});
      }
    }
  }
}

} // namespace

std::size_t FaceMesh::num_ghosts() const {
  std::size_t count = 0;
  for (const Patch& patch : patches) {
    count += patch.faces.size();
  }
  return count;
}

GlobalIndex FaceGrid::num_cells() const {
  return GlobalIndex{cells[0]} * cells[1] * cells[2];
}

std::array<int, 3> FaceGrid::place_of(GlobalIndex cell) const {
  return {static_cast<int>(cell % cells[0]), static_cast<int>(cell / cells[0] % cells[1]),
          static_cast<int>(cell / cells[0] / cells[1])};
}

std::size_t axis_of(GlobalIndex face) {
  return static_cast<std::size_t>(face % axes);
}

FaceBlocks::FaceBlocks(const FaceGrid& grid, int parts)
    : grid_(grid), parts_(block_grid({grid.cells, grid.lengths}, parts)) {
  for (std::size_t a = 0; a < 3; ++a) {
    check(parts_[a] <= grid.cells[a], "{} blocks do not fit into {} x {} x {} cells", parts,
          grid.cells[0], grid.cells[1], grid.cells[2]);
  }
}

int FaceBlocks::part_of(GlobalIndex cell) const {
  const auto place = grid_.place_of(cell);
  std::array<int, 3> part{};
  for (std::size_t a = 0; a < 3; ++a) {
    part[a] = static_cast<int>((GlobalIndex{place[a] + 1} * parts_[a] - 1) / grid_.cells[a]);
  }
  return part[0] + parts_[0] * (part[1] + parts_[1] * part[2]);
}

std::vector<GlobalIndex> FaceBlocks::cells_of(int part) const {
  const std::array<int, 3> place = {part % parts_[0], part / parts_[0] % parts_[1],
                                    part / parts_[0] / parts_[1]};
  std::array<GlobalIndex, 3> first{};
  std::array<GlobalIndex, 3> last{};
  for (std::size_t a = 0; a < 3; ++a) {
    first[a] = GlobalIndex{grid_.cells[a]} * place[a] / parts_[a];
    last[a] = GlobalIndex{grid_.cells[a]} * (place[a] + 1) / parts_[a];
  }
  const auto stride = strides(grid_);
  std::vector<GlobalIndex> cells;
  for (GlobalIndex k = first[2]; k < last[2]; ++k) {
    for (GlobalIndex j = first[1]; j < last[1]; ++j) {
      for (GlobalIndex i = first[0]; i < last[0]; ++i) {
        cells.push_back(i + j * stride[1] + k * stride[2]);
      }
    }
  }
  return cells;
}

FaceMesh make_face_mesh(const FaceGrid& grid, std::vector<GlobalIndex> cells, int rank,
                        const std::function<int(GlobalIndex)>& rank_of) {
  std::vector<Crossing> faces;
  std::vector<std::pair<int, GlobalIndex>> shared; // rank, face; becomes the order of the ghosts
  for_faces(grid, cells, [&](GlobalIndex cell, GlobalIndex other, const Crossing& face) {
    const int there = rank_of(other);
    if (there != rank) {
      shared.emplace_back(there, face.id);
    }
    if (there != rank || cell == face.below) {
      faces.push_back(face);
    }
  });
  std::sort(shared.begin(), shared.end());
  std::sort(faces.begin(), faces.end(),
            [](const Crossing& a, const Crossing& b) { return a.id < b.id; });

  FaceMesh mesh;
  mesh.cell_ids = std::move(cells);
  const auto local = [&mesh](GlobalIndex cell) {
    const auto found = std::lower_bound(mesh.cell_ids.begin(), mesh.cell_ids.end(), cell);
    const bool own = found != mesh.cell_ids.end() && *found == cell;
    return own ? static_cast<LocalIndex>(found - mesh.cell_ids.begin()) : LocalIndex{-1};
  };
  for (const Crossing& face : faces) {
    mesh.face_ids.push_back(face.id);
    mesh.faces.push_back({local(face.below), local(face.above)});
  }
  double volume = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    volume *= grid.lengths[a] / grid.cells[a];
  }
  mesh.volumes.assign(mesh.cell_ids.size(), volume);
  LocalIndex ghost = mesh.num_cells();
  for (const auto& [there, id] : shared) {
    if (mesh.patches.empty() || mesh.patches.back().rank != there) {
      mesh.patches.push_back({there, {}});
    }
    const auto at = std::lower_bound(mesh.face_ids.begin(), mesh.face_ids.end(), id);
    const auto face = static_cast<LocalIndex>(at - mesh.face_ids.begin());
    mesh.patches.back().faces.push_back(face);
    FaceMesh::Face& ends = mesh.faces[static_cast<std::size_t>(face)];
    (ends.owner < 0 ? ends.owner : ends.neighbour) = ghost++;
  }
  return mesh;
}

FaceMesh make_face_block(const FaceGrid& grid, int ranks, int rank) {
  const FaceBlocks blocks(grid, ranks);
  return make_face_mesh(grid, blocks.cells_of(rank), rank,
                        [&blocks](GlobalIndex cell) { return blocks.part_of(cell); });
}

std::vector<double> stream_fluxes(const FaceGrid& grid, const FaceMesh& mesh,
                                  const std::function<double(double, double)>& stream) {
  const auto at = [&grid, &stream](int i, int j) {
    return stream(grid.lengths[0] * i / grid.cells[0], grid.lengths[1] * j / grid.cells[1]);
  };
  const double depth = grid.lengths[2] / grid.cells[2];
  std::vector<double> fluxes;
  fluxes.reserve(mesh.face_ids.size());
  for (const GlobalIndex id : mesh.face_ids) {
    const auto [i, j, k] = grid.place_of(id / axes);
    const std::size_t axis = axis_of(id);
    if (axis == 0) {
      fluxes.push_back(depth * (at(i + 1, j + 1) - at(i + 1, j)));
    } else if (axis == 1) {
      fluxes.push_back(-depth * (at(i + 1, j + 1) - at(i, j + 1)));
    } else {
      fluxes.push_back(0);
    }
  }
  return fluxes;
}

} // namespace isthmus::discrete
