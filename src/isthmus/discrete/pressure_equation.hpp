// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/cell_faces.hpp"
#include "isthmus/discrete/face_operator.hpp"
#include "isthmus/la/krylov/solve.hpp"

#include <span>
#include <vector>

namespace isthmus::discrete {

/// The pressure whose gradient makes fluxes through faces free of divergence: the sum over the
/// faces of a cell of weight · (difference of pressures) is what the fluxes bring into it.
class PressureEquation {
 public:
  /// All must outlive this. The functions are notified of the cells that products and factors
  /// visit.
  PressureEquation(const comm::Comm& comm, const FaceMesh& mesh, const CellFaces& cells,
                   OnCells on_product = {}, OnCells on_factor = {});

  /// Change of the flux through each face by a unit difference of pressures, to be filled before
  /// find_sources().
  [[nodiscard]] std::span<double> weights() { return weights_; }
  /// Local. For these weights and fluxes, of all faces.
  void find_sources(std::span<const double> flux);
  /// Collective. From the pressure of the time before; preconditioned by FaceFactor, or by the
  /// diagonal.
  la::Report solve(const la::Settings& settings, bool factor);

  /// Of the own cells, then of their ghosts, which are for the caller to fill.
  [[nodiscard]] std::vector<double>& pressure() { return pressure_; }

 private:
  const CellFaces& cells_;
  FaceOperator matrix_;
  FaceFactor factor_;
  std::vector<double> pressure_;
  std::vector<double> source_;  // of the own cells
  std::vector<double> weights_; // of faces
};

} // namespace isthmus::discrete
