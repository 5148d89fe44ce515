// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/face_mesh.hpp"
#include "isthmus/exchange/halo.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// The faces of each cell of a rank, ascending by global number: sums over them have one order on
/// any ranks.
class CellFaces {
 public:
  struct CellFace {
    LocalIndex face;
    LocalIndex other; ///< the cell behind it, own or a ghost
    double sign;      ///< of a flux that enters
  };

  CellFaces() = default;
  explicit CellFaces(const FaceMesh& mesh);

  [[nodiscard]] std::span<const CellFace> of(LocalIndex cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(faces_).subspan(offsets_[c], offsets_[c + 1] - offsets_[c]);
  }
  [[nodiscard]] std::size_t size() const { return faces_.size(); } ///< of all cells
  [[nodiscard]] bool is_border(LocalIndex cell) const {
    return is_border_[static_cast<std::size_t>(cell)] != 0;
  }
  /// Cells without and with faces that another rank shares.
  [[nodiscard]] const std::vector<LocalIndex>& inner() const { return inner_; }
  [[nodiscard]] const std::vector<LocalIndex>& border() const { return border_; }

 private:
  std::vector<std::size_t> offsets_{0};
  std::vector<CellFace> faces_;
  std::vector<char> is_border_;
  std::vector<LocalIndex> inner_, border_;
};

/// Fills the ghosts behind the own cells' values.
[[nodiscard]] exchange::Halo make_halo(const FaceMesh& mesh);

} // namespace isthmus::discrete
