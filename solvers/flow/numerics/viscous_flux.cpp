// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/flux.hpp"

#include "isthmus/radial/multiversion.hpp"

// Loops over faces without branches, which compilers turn into vector instructions.
namespace isthmus::flow {

namespace {

/// The gradient between two cells: differences along the three axes times the area vectors there.
struct Gradient {
  Vector across;
  std::array<Vector, 2> along;

  template <bool is_plane>
  [[nodiscard]] inline Vector of(const double* at, std::ptrdiff_t step, std::ptrdiff_t t1,
                                 std::ptrdiff_t t2) const {
    const double d0 = at[0] - at[-step];
    const double d1 = 0.25 * (at[t1] - at[-t1] + at[t1 - step] - at[-t1 - step]);
    if constexpr (is_plane) {
      return {d0 * across[0] + d1 * along[0][0], d0 * across[1] + d1 * along[0][1], 0};
    }
    const double d2 = 0.25 * (at[t2] - at[-t2] + at[t2 - step] - at[-t2 - step]);
    return {d0 * across[0] + d1 * along[0][0] + d2 * along[1][0],
            d0 * across[1] + d1 * along[0][1] + d2 * along[1][1],
            d0 * across[2] + d1 * along[0][2] + d2 * along[1][2]};
  }
};

/// The mean of the four faces of both cells, over the volume between their centres.
template <bool is_plane>
inline Vector tangent_area(const ViscousRow::Tangent& tangent, std::ptrdiff_t i,
                           std::ptrdiff_t across, double inverse) {
  const auto mean = [&](const double* s) {
    return 0.25 * inverse *
           (s[i] + s[i + tangent.along] + s[i - across] + s[i - across + tangent.along]);
  };
  return {mean(tangent.area_x), mean(tangent.area_y), is_plane ? 0 : mean(tangent.area_z)};
}

template <bool is_turbulent, bool is_plane>
void viscous_of(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  const auto [rho, vx, vy, vz, p, temperature, eddy] = row.cells;
  static_cast<void>(rho);
  static_cast<void>(p);
  static_cast<void>(eddy);
  double* __restrict const mx = row.fluxes[1];
  double* __restrict const my = row.fluxes[2];
  double* __restrict const mz = row.fluxes[3];
  double* __restrict const energy = row.fluxes[4];
  const std::ptrdiff_t across = row.across;
  const std::ptrdiff_t t1 = viscous.tangents[0].along;
  const std::ptrdiff_t t2 = viscous.tangents[1].along;
  const double heat = 1 / (gas.prandtl * (gas.gamma - 1));
  const double turbulent_heat = 1 / (gas.turbulent_prandtl * (gas.gamma - 1));
  const auto [area_x, area_y, area_z] = std::array{row.area_x, row.area_y, row.area_z};
  const double viscosity = gas.viscosity;
  const std::ptrdiff_t count = row.count;
  const ViscousRow around = viscous;
#pragma GCC ivdep // fluxes are no values of cells
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double sx = area_x[i];
    const double sy = area_y[i];
    const double sz = is_plane ? 0 : area_z[i];
    const double inverse = 2 / (around.volumes[i] + around.volumes[i - across]);
    const Gradient gradient{
        {sx * inverse, sy * inverse, sz * inverse},
        {tangent_area<is_plane>(around.tangents[0], i, across, inverse),
         is_plane ? Vector{} : tangent_area<false>(around.tangents[1], i, across, inverse)}};
    const auto of = [&](const double* cells) {
      return gradient.template of<is_plane>(cells + i, across, t1, t2);
    };
    const Vector du = of(vx);
    const Vector dv = of(vy);
    const Vector dw = is_plane ? Vector{} : of(vz);
    const Vector dt = of(temperature);
    double mu = viscosity;
    double conductivity = mu * heat;
    if constexpr (is_turbulent) {
      const double added = 0.5 * (eddy[i] + eddy[i - across]);
      mu += added;
      conductivity += added * turbulent_heat;
    }
    const double spread = (du[0] + dv[1] + dw[2]) * (2.0 / 3);
    const double fx =
        mu * ((2 * du[0] - spread) * sx + (du[1] + dv[0]) * sy + (du[2] + dw[0]) * sz);
    const double fy =
        mu * ((dv[0] + du[1]) * sx + (2 * dv[1] - spread) * sy + (dv[2] + dw[1]) * sz);
    const double fz =
        mu * ((dw[0] + du[2]) * sx + (dw[1] + dv[2]) * sy + (2 * dw[2] - spread) * sz);
    const double u = 0.5 * (vx[i] + vx[i - across]);
    const double v = 0.5 * (vy[i] + vy[i - across]);
    const double w = is_plane ? 0 : 0.5 * (vz[i] + vz[i - across]);
    mx[i] -= fx;
    my[i] -= fy;
    if constexpr (!is_plane) {
      mz[i] -= fz;
    }
    energy[i] -= u * fx + v * fy + w * fz + conductivity * (dt[0] * sx + dt[1] * sy + dt[2] * sz);
  }
}

template <bool is_turbulent>
inline void any_viscous(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  if (row.is_plane) {
    viscous_of<is_turbulent, true>(row, viscous, gas);
  } else {
    viscous_of<is_turbulent, false>(row, viscous, gas);
  }
}

ISTHMUS_MULTIVERSION void laminar(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  any_viscous<false>(row, viscous, gas);
}
ISTHMUS_MULTIVERSION void turbulent(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  any_viscous<true>(row, viscous, gas);
}

} // namespace

void add_viscous(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  (gas.is_turbulent ? turbulent : laminar)(row, viscous, gas);
}

} // namespace isthmus::flow
