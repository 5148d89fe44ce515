// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/active_faces.hpp"

namespace isthmus::discrete {

void ActiveFaces::find_cells(const FaceMesh& mesh, const CellFaces& cells) {
  ++round_;
  inner_cells_.clear();
  border_cells_.clear();
  const auto add = [this, &mesh, &cells](LocalIndex cell) {
    if (cell < mesh.num_cells()) {
      const auto c = static_cast<std::size_t>(cell);
      if (marks_[c] != round_) {
        marks_[c] = round_;
        (cells.is_border(cell) ? border_cells_ : inner_cells_).push_back(cell);
      }
    }
  };
  const auto add_both = [&mesh, &add](LocalIndex face) {
    add(mesh.faces[static_cast<std::size_t>(face)].owner);
    add(mesh.faces[static_cast<std::size_t>(face)].neighbour);
  };
  for (const LocalIndex face : inner_) {
    add_both(face);
  }
  for (std::size_t p = 0; p < shared_.size(); ++p) {
    for (const LocalIndex k : shared_[p]) {
      add_both(mesh.patches[p].faces[static_cast<std::size_t>(k)]);
    }
  }
}

} // namespace isthmus::discrete
