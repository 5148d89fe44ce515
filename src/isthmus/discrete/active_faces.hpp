// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/cell_faces.hpp"
#include "isthmus/discrete/face_mesh.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// The faces of a rank that an iteration over faces still has to visit, and their own cells.
class ActiveFaces {
 public:
  /// Those faces for which is_active(face) is true. Cells are found by find_cells().
  template <typename IsActive>
  void start(const FaceMesh& mesh, std::span<const LocalIndex> inner_faces, IsActive&& is_active);
  /// Calls is_done(face) for the inner faces, which leave if it says so.
  template <typename IsDone>
  void visit_inner(IsDone&& is_done);
  /// The same for the faces of a patch; calls is_done(its position in the patch).
  template <typename IsDone>
  void visit_shared(std::size_t patch, IsDone&& is_done);

  [[nodiscard]] std::span<const LocalIndex> inner() const { return inner_; }
  /// Positions in the patch.
  [[nodiscard]] std::span<const LocalIndex> shared(std::size_t patch) const {
    return shared_[patch];
  }

  /// Finds the own cells of the faces that are left.
  void find_cells(const FaceMesh& mesh, const CellFaces& cells);
  /// Those without and with faces that another rank shares.
  [[nodiscard]] const std::vector<LocalIndex>& inner_cells() const { return inner_cells_; }
  [[nodiscard]] const std::vector<LocalIndex>& border_cells() const { return border_cells_; }

 private:
  std::vector<LocalIndex> inner_;
  std::vector<std::vector<LocalIndex>> shared_; // by patch
  std::vector<LocalIndex> inner_cells_, border_cells_;
  std::vector<int> marks_; // of cells: the round that has found them
  int round_ = 0;
};

template <typename IsActive>
void ActiveFaces::start(const FaceMesh& mesh, std::span<const LocalIndex> inner_faces,
                        IsActive&& is_active) {
  inner_.clear();
  std::copy_if(inner_faces.begin(), inner_faces.end(), std::back_inserter(inner_), is_active);
  shared_.resize(mesh.patches.size());
  for (std::size_t p = 0; p < shared_.size(); ++p) {
    shared_[p].clear();
    for (std::size_t k = 0; k < mesh.patches[p].faces.size(); ++k) {
      if (is_active(mesh.patches[p].faces[k])) {
        shared_[p].push_back(static_cast<LocalIndex>(k));
      }
    }
  }
  round_ = 0;
  marks_.assign(static_cast<std::size_t>(mesh.num_cells()), 0);
}

template <typename IsDone>
void ActiveFaces::visit_inner(IsDone&& is_done) {
  std::erase_if(inner_, is_done);
}

template <typename IsDone>
void ActiveFaces::visit_shared(std::size_t patch, IsDone&& is_done) {
  std::erase_if(shared_[patch], is_done);
}

} // namespace isthmus::discrete
