// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/block.hpp"
#include "flow/numerics/gas.hpp"

#include <array>
#include <cstddef>

namespace isthmus::flow {

enum class Limiter { none, van_albada };

/// How fluxes are computed.
struct FluxSettings {
  Limiter limiter = Limiter::van_albada;
  bool is_first_order = false;
  /// Scales the jump of the normal velocity with the Mach number where that is below 1, so that the
  /// dissipation does not grow against the flux: Rieper (2011), doi:10.1016/j.jcp.2011.03.025.
  bool is_low_speed = true;
  /// Pseudo time with slow sound: least_slowing(); 0: none. Then the dissipation is that of the
  /// waves as they are in it, which is right at low speed: Weiss, Smith (1995),
  /// doi:10.2514/3.12946.
  double preconditioning = 0;
};

/// A row of faces along i across one axis: pointers to the cell on the high side of the first one.
struct FaceRow {
  std::array<const double*, num_primitive> cells;
  std::ptrdiff_t across; // from a cell to the next one through the face
  bool is_plane; // no area has a part along z, no cell a velocity: fluxes along z are not set
  const double* area_x;
  const double* area_y;
  const double* area_z;
  const double* area;
  const double* turning;
  double turning_speed;
  Vector velocity;                           // of the pivot of the grid
  std::array<double*, num_conserved> fluxes; // set (inviscid), or added to (viscous)
  std::ptrdiff_t count;
};

/// Fluxes of mass, momentum and energy from low to high, times area, through faces that move:
/// Roe (1981), doi:10.1016/0021-9991(81)90128-5, of values reconstructed by MUSCL: van Leer (1979),
/// doi:10.1016/0021-9991(79)90145-1, from the upwind-biased cubic of three cells, or limited as by
/// van Albada and others (1982), doi:10.1007/978-3-642-60543-7_6.
void set_inviscid(const FaceRow& row, const Gas& gas, const FluxSettings& settings);

/// What viscous faces need besides: everything at the cell on the high side of the first face.
struct ViscousRow {
  const double* volumes;
  struct Tangent {
    std::ptrdiff_t along; // from a cell to the next one; 0: no gradient along this axis
    const double* area_x; // of the faces at the low end of the cells
    const double* area_y;
    const double* area_z;
  };
  std::array<Tangent, 2> tangents;
};

/// Subtracts shear and heat: gradients over the volume between the cell centres, from the values
/// of ten cells (six if flat).
void add_viscous(const FaceRow& row, const ViscousRow& viscous, const Gas& gas);

} // namespace isthmus::flow
