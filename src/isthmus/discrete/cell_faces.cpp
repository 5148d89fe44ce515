// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/cell_faces.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isthmus::discrete {

CellFaces::CellFaces(const FaceMesh& mesh) {
  const auto cells = static_cast<std::size_t>(mesh.num_cells());
  const auto for_own = [&mesh, cells](auto action) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const auto face = static_cast<LocalIndex>(f);
      const auto [owner, neighbour] = mesh.faces[f];
      if (const auto c = static_cast<std::size_t>(owner); c < cells) {
        action(c, CellFace{face, neighbour, -1});
      }
      if (const auto c = static_cast<std::size_t>(neighbour); c < cells) {
        action(c, CellFace{face, owner, 1});
      }
    }
  };
  offsets_.assign(cells + 1, 0);
  for_own([this](std::size_t cell, const CellFace&) { ++offsets_[cell + 1]; });
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  faces_.resize(offsets_[cells]);
  is_border_.assign(cells, 0);
  std::vector<std::size_t> next(offsets_);
  for_own([this, cells, &next](std::size_t cell, const CellFace& at) {
    faces_[next[cell]++] = at;
    if (static_cast<std::size_t>(at.other) >= cells) {
      is_border_[cell] = 1;
    }
  });
  for (std::size_t c = 0; c < cells; ++c) {
    (is_border_[c] != 0 ? border_ : inner_).push_back(static_cast<LocalIndex>(c));
  }
}

exchange::Halo make_halo(const FaceMesh& mesh) {
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  for (const FaceMesh::Patch& patch : mesh.patches) {
    targets.push_back({patch.rank, {}});
    sources.push_back({patch.rank, static_cast<LocalIndex>(patch.faces.size())});
    for (const LocalIndex face : patch.faces) {
      const auto [owner, neighbour] = mesh.faces[static_cast<std::size_t>(face)];
      targets.back().entries.push_back(std::min(owner, neighbour)); // ghosts have higher numbers
    }
  }
  return {std::move(targets), std::move(sources)};
}

} // namespace isthmus::discrete
