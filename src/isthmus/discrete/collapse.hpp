// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/face_mesh.hpp"

#include <vector>

namespace isthmus::discrete {

/// A column of water, a quarter wide and half as high as its square basin, that a given plane flow
/// carries along the floor and up the other wall: what a breaking dam asks of a limiter, without
/// the pressure. Lengths in those of the basin, the largest velocity is 1.
struct Collapse {
  FaceGrid grid;

  /// n x n cells, `layers` of them.
  explicit Collapse(int n, int layers = 1);
  /// Share of water in the cells at first.
  [[nodiscard]] std::vector<double> fractions(const FaceMesh& mesh) const;
  [[nodiscard]] std::vector<double> fluxes(const FaceMesh& mesh) const;
  /// In which the flow crosses `courant` cells.
  [[nodiscard]] double time_step(double courant = 0.4) const;
};

} // namespace isthmus::discrete
