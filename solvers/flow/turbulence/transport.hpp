// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/turbulence/turbulent_field.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::flow {

/// What links the cells of a piece: of the faces at the low ends of cells, along each axis, the
/// mass that flows through, and the conductance of k and omega between the two cells.
struct Links {
  struct Axis {
    std::vector<double> mass;
    std::array<std::vector<double>, num_turbulent> conductance;
  };
  std::array<Axis, 3> axes;

  explicit Links(const Extent& extent);

  /// By how much a value before a cell (of the face at its low end) counts in the cell, and one
  /// behind it, with what flows there (upwind, first order) and what diffuses.
  [[nodiscard]] double from_before(int axis, std::size_t v, std::size_t cell) const {
    const Axis& of_axis = axes[static_cast<std::size_t>(axis)];
    return (of_axis.mass[cell] > 0 ? of_axis.mass[cell] : 0) + of_axis.conductance[v][cell];
  }
  [[nodiscard]] double from_behind(int axis, std::size_t v, std::size_t high_face) const {
    const Axis& of_axis = axes[static_cast<std::size_t>(axis)];
    return (of_axis.mass[high_face] < 0 ? -of_axis.mass[high_face] : 0) +
           of_axis.conductance[v][high_face];
  }
};

/// Local. From the flow, and k, omega and F1 with ghosts (TurbulentField::values).
void set_links(const PieceFlow& flow, std::span<const double> values, Links& links);

/// Local. Sets what convection and diffusion bring into each cell per time, of k and of omega
/// (num_turbulent arrays): density and volume times the rate, of the form that carries values along
/// (without the divergence of the mass flux). `diagonals` gets by how much less for each more of
/// the cell's own.
void set_transport(const PieceFlow& flow, std::span<const double> values, const Links& links,
                   std::span<double> rates, std::span<double> diagonals);

/// Local. Ghosts behind a no-slip wall change with the cell before it: adds that to `diagonals`.
void add_walls(const Extent& extent, const BoundarySide& side, const Links& links,
               std::span<double> diagonals);

} // namespace isthmus::flow
