// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/flux.hpp"

#include "isthmus/radial/multiversion.hpp"

// Loops over faces without branches, which compilers turn into vector instructions.
namespace isthmus::flow {

namespace {

/// Differences of a value at a face, across it and along both other axes. Its gradient is the sum
/// of them, each times the area vector of its axis, over the volume between the cells.
struct Differences {
  double across;
  double first;
  double second;
};

/// Along an axis they are sums of four, and so are the areas: the latter are divided by 16.
template <bool is_plane>
inline Differences differences(const double* at, std::ptrdiff_t step, std::ptrdiff_t t1,
                               std::ptrdiff_t t2) {
  return {at[0] - at[-step], (at[t1] - at[-t1]) + (at[t1 - step] - at[-t1 - step]),
          is_plane ? 0 : (at[t2] - at[-t2]) + (at[t2 - step] - at[-t2 - step])};
}

/// Of the four faces of both cells along an axis, by 16.
template <bool is_plane>
inline Vector tangent_area(const ViscousRow::Tangent& tangent, std::ptrdiff_t i,
                           std::ptrdiff_t across) {
  const auto of = [&](const double* s) {
    return 0.0625 * (s[i] + s[i + tangent.along] + s[i - across] + s[i - across + tangent.along]);
  };
  return {of(tangent.area_x), of(tangent.area_y), is_plane ? 0 : of(tangent.area_z)};
}

inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What all gradients of a face have in common: area vectors across and along, and their products
/// with that across.
struct Areas {
  Vector across;
  Vector first;
  Vector second;
  double with_across;
  double with_first;
  double with_second;

  /// The derivative along the face's area, times the volume.
  [[nodiscard]] inline double slope(const Differences& d) const {
    return d.across * with_across + d.first * with_first + d.second * with_second;
  }
};

/// Shear on a face, times the volume over the viscosity: both parts of the gradient times the area,
/// less two thirds of the divergence.
inline Vector shear(const Areas& areas, const Differences& u, const Differences& v,
                    const Differences& w) {
  const double across = dot({u.across, v.across, w.across}, areas.across);
  const Vector along_first{u.first, v.first, w.first};
  const Vector along_second{u.second, v.second, w.second};
  const double first = dot(along_first, areas.across);
  const double second = dot(along_second, areas.across);
  const double spread = across + dot(along_first, areas.first) + dot(along_second, areas.second);
  const double rest = across - spread * (2.0 / 3);
  const auto part = [&](const Differences& d, std::size_t c) {
    return areas.slope(d) + rest * areas.across[c] + first * areas.first[c] +
           second * areas.second[c];
  };
  return {part(u, 0), part(v, 1), part(w, 2)};
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
    const Vector s{area_x[i], area_y[i], is_plane ? 0 : area_z[i]};
    const Vector s1 = tangent_area<is_plane>(around.tangents[0], i, across);
    const Vector s2 = is_plane ? Vector{} : tangent_area<false>(around.tangents[1], i, across);
    const Areas areas{s, s1, s2, dot(s, s), dot(s, s1), dot(s, s2)};
    const auto of = [&](const double* cells) {
      return differences<is_plane>(cells + i, across, t1, t2);
    };
    const Vector force = shear(areas, of(vx), of(vy), is_plane ? Differences{} : of(vz));
    double mu = viscosity;
    double conductivity = mu * heat;
    if constexpr (is_turbulent) {
      const double added = 0.5 * (eddy[i] + eddy[i - across]);
      mu += added;
      conductivity += added * turbulent_heat;
    }
    const double inverse = 2 / (around.volumes[i] + around.volumes[i - across]);
    const double factor = mu * inverse;
    const double fx = factor * force[0];
    const double fy = factor * force[1];
    const double fz = factor * force[2];
    const double u = vx[i] + vx[i - across]; // twice the mean
    const double v = vy[i] + vy[i - across];
    const double w = is_plane ? 0 : vz[i] + vz[i - across];
    mx[i] -= fx;
    my[i] -= fy;
    if constexpr (!is_plane) {
      mz[i] -= fz;
    }
    energy[i] -=
        0.5 * (u * fx + v * fy + w * fz) + conductivity * inverse * areas.slope(of(temperature));
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
