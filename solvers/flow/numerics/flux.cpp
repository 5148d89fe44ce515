// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/flux.hpp"

#include "flow/numerics/preconditioning.hpp"
#include "isthmus/radial/multiversion.hpp"

#include <algorithm>
#include <cmath>

// Loops over faces without branches, which compilers turn into vector instructions.
namespace isthmus::flow {

namespace {

enum class Order { first, second, limited };

struct State {
  double density;
  double u;
  double v;
  double w;
  double pressure;
};

/// Half the limited difference of a cell from those to its neighbours.
inline double half_limited(double before, double after) {
  constexpr double tiny = 1e-12; // keeps smooth extrema
  const double b2 = before * before + tiny;
  const double a2 = after * after + tiny;
  return 0.5 * (before * a2 + after * b2) / (a2 + b2);
}

/// Both sides of a face between cells `at` - across and `at`.
template <Order order>
inline std::array<double, 2> sides(const double* at, std::ptrdiff_t across) {
  const double low = at[-across];
  const double high = at[0];
  if constexpr (order == Order::first) {
    return {low, high};
  }
  const double before = low - at[-2 * across];
  const double between = high - low;
  const double after = at[across] - high;
  if constexpr (order == Order::second) {
    return {low + before / 6 + between / 3, high - after / 6 - between / 3};
  }
  return {low + half_limited(before, between), high - half_limited(between, after)};
}

/// Per area; n is the unit normal and `speed` that of the face along it.
struct Flux {
  double mass;
  double x;
  double y;
  double z;
  double energy;
};

inline Flux physical(const State& s, double enthalpy, double normal, double speed,
                     const Vector& n) {
  const double mass = s.density * (normal - speed);
  return {mass, mass * s.u + s.pressure * n[0], mass * s.v + s.pressure * n[1],
          mass * s.w + s.pressure * n[2], mass * enthalpy + s.pressure * speed};
}

inline double enthalpy_of(const State& s, double factor) {
  return factor * s.pressure / s.density + 0.5 * (s.u * s.u + s.v * s.v + s.w * s.w);
}

/// Keeps the speed of a wave away from 0 (Harten (1983), doi:10.1016/0021-9991(83)90136-5).
inline double away_from_zero(double speed, double width) {
  const double size = std::abs(speed);
  return size < width ? 0.5 * (speed * speed / width + width) : size;
}

/// How sound is treated at low speed.
struct LowSpeed {
  double least_scale;   // of jumps of the normal velocity
  double least_slowing; // of sound in pseudo time
};

/// What the Riemann problem of a face has in the mean.
struct Mean {
  double density;
  double sound; // speed of it
  double mach2;
  double normal; // velocity relative to the face
};

/// The strengths of both sounds and how much the others are smeared, from the jumps of pressure
/// and normal velocity.
struct Waves {
  double back;
  double ahead;
  double here;
};

inline Waves waves(const Mean& mean, double jump_p, double jump_q, double least_scale) {
  const double c = mean.sound;
  const double width = 0.05 * c;
  const double scale = std::max(least_scale, std::min(1.0, std::sqrt(mean.mach2)));
  const double acoustic = mean.density * c * jump_q * scale;
  return {away_from_zero(mean.normal - c, width) * (jump_p - acoustic) / (2 * c * c),
          away_from_zero(mean.normal + c, width) * (jump_p + acoustic) / (2 * c * c),
          away_from_zero(mean.normal, width)};
}

/// In pseudo time with slow sound: the absolute value of the matrix of pressure and normal velocity
/// from its two speeds, and the slowing undone.
inline Waves slow_waves(const Mean& mean, double jump_p, double jump_q, double least_slowing) {
  const double c = mean.sound;
  const double slow = slowing(mean.mach2, least_slowing);
  const double apart = (1 - slow) * mean.normal;
  const double between = std::sqrt(apart * apart + 4 * slow * c * c);
  const double center = (1 + slow) * mean.normal;
  const double high = 0.5 * (center + between);
  const double low = 0.5 * (center - between);
  const double width = 0.025 * between;
  const double ahead = away_from_zero(high, width);
  const double back = away_from_zero(low, width);
  const double slope = (ahead - back) / between;
  const double rest = (high * back - low * ahead) / between;
  const double pressure =
      (slope * mean.normal + rest / slow) * jump_p / (c * c) + slope * mean.density * jump_q;
  const double turn = (slope * jump_p + (slope * mean.normal + rest) * mean.density * jump_q) / c;
  return {0.5 * (pressure - turn), 0.5 * (pressure + turn), away_from_zero(mean.normal, width)};
}

template <bool has_slow_sound>
inline Flux roe(const State& l, const State& r, const Vector& n, double speed, double gamma,
                const LowSpeed& low_speed) {
  const double factor = gamma / (gamma - 1);
  const double hl = enthalpy_of(l, factor);
  const double hr = enthalpy_of(r, factor);
  const double ql = l.u * n[0] + l.v * n[1] + l.w * n[2];
  const double qr = r.u * n[0] + r.v * n[1] + r.w * n[2];
  const Flux fl = physical(l, hl, ql, speed, n);
  const Flux fr = physical(r, hr, qr, speed, n);
  const double root = std::sqrt(r.density / l.density);
  const double part = 1 / (1 + root);
  const double density = root * l.density;
  const double u = (l.u + root * r.u) * part;
  const double v = (l.v + root * r.v) * part;
  const double w = (l.w + root * r.w) * part;
  const double h = (hl + root * hr) * part;
  const double q = u * n[0] + v * n[1] + w * n[2];
  const double square = u * u + v * v + w * w;
  const double c2 = (gamma - 1) * (h - 0.5 * square);
  const double c = std::sqrt(c2);
  const double jump_q = qr - ql;
  const double jump_p = r.pressure - l.pressure;
  const Mean mean{density, c, square / c2, q - speed};
  const Waves found = has_slow_sound ? slow_waves(mean, jump_p, jump_q, low_speed.least_slowing)
                                     : waves(mean, jump_p, jump_q, low_speed.least_scale);
  const auto [d1, d5, here] = found;
  const double d2 = here * (r.density - l.density - jump_p / c2);
  const double shear = here * density;
  const double du = r.u - l.u - jump_q * n[0];
  const double dv = r.v - l.v - jump_q * n[1];
  const double dw = r.w - l.w - jump_q * n[2];
  const double sum = d1 + d2 + d5;
  const double turn = c * (d5 - d1);
  return {
      0.5 * (fl.mass + fr.mass - sum), 0.5 * (fl.x + fr.x - (sum * u + turn * n[0] + shear * du)),
      0.5 * (fl.y + fr.y - (sum * v + turn * n[1] + shear * dv)),
      0.5 * (fl.z + fr.z - (sum * w + turn * n[2] + shear * dw)),
      0.5 * (fl.energy + fr.energy -
             ((d1 + d5) * h + turn * q + d2 * 0.5 * square + shear * (u * du + v * dv + w * dw)))};
}

template <Order order, bool has_slow_sound>
void inviscid(const FaceRow& row, double gamma, const LowSpeed& low_speed) {
  const auto [rho, vx, vy, vz, p, t, eddy] = row.cells;
  static_cast<void>(t);
  static_cast<void>(eddy);
  double* __restrict const mass = row.fluxes[0];
  double* __restrict const mx = row.fluxes[1];
  double* __restrict const my = row.fluxes[2];
  double* __restrict const mz = row.fluxes[3];
  double* __restrict const energy = row.fluxes[4];
  const std::ptrdiff_t across = row.across;
  const Vector drift = row.velocity;
  const double turning_speed = row.turning_speed;
  const auto [area_x, area_y, area_z] = std::array{row.area_x, row.area_y, row.area_z};
  const double* const turning = row.turning;
  const LowSpeed low = low_speed;
  const std::ptrdiff_t count = row.count;
#pragma GCC ivdep // fluxes are no values of cells
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double sx = area_x[i];
    const double sy = area_y[i];
    const double sz = area_z[i];
    const double area = std::sqrt(sx * sx + sy * sy + sz * sz);
    const double inverse = 1 / std::max(area, 1e-300);
    const auto d = sides<order>(rho + i, across);
    const auto x = sides<order>(vx + i, across);
    const auto y = sides<order>(vy + i, across);
    const auto z = sides<order>(vz + i, across);
    const auto e = sides<order>(p + i, across);
    const Flux flux = roe<has_slow_sound>(
        {d[0], x[0], y[0], z[0], e[0]}, {d[1], x[1], y[1], z[1], e[1]},
        {sx * inverse, sy * inverse, sz * inverse},
        (turning_speed * turning[i] + drift[0] * sx + drift[1] * sy + drift[2] * sz) * inverse,
        gamma, low);
    mass[i] = area * flux.mass;
    mx[i] = area * flux.x;
    my[i] = area * flux.y;
    mz[i] = area * flux.z;
    energy[i] = area * flux.energy;
  }
}

/// The gradient between two cells: differences along the three axes times the area vectors there.
struct Gradient {
  Vector across;
  std::array<Vector, 2> along;

  [[nodiscard]] inline Vector of(const double* at, std::ptrdiff_t step, std::ptrdiff_t t1,
                                 std::ptrdiff_t t2) const {
    const double d0 = at[0] - at[-step];
    const double d1 = 0.25 * (at[t1] - at[-t1] + at[t1 - step] - at[-t1 - step]);
    const double d2 = 0.25 * (at[t2] - at[-t2] + at[t2 - step] - at[-t2 - step]);
    return {d0 * across[0] + d1 * along[0][0] + d2 * along[1][0],
            d0 * across[1] + d1 * along[0][1] + d2 * along[1][1],
            d0 * across[2] + d1 * along[0][2] + d2 * along[1][2]};
  }
};

/// The mean of the four faces of both cells, over the volume between their centres.
inline Vector tangent_area(const ViscousRow::Tangent& tangent, std::ptrdiff_t i,
                           std::ptrdiff_t across, double inverse) {
  const auto mean = [&](const double* s) {
    return 0.25 * inverse *
           (s[i] + s[i + tangent.along] + s[i - across] + s[i - across + tangent.along]);
  };
  return {mean(tangent.area_x), mean(tangent.area_y), mean(tangent.area_z)};
}

using Inviscid = void (*)(const FaceRow&, double, const LowSpeed&);

ISTHMUS_MULTIVERSION void first(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::first, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void second(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::second, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void limited(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::limited, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void first_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::first, true>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void second_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::second, true>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void limited_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  inviscid<Order::limited, true>(row, gamma, low);
}

Inviscid inviscid_of(const FluxSettings& settings) {
  const bool is_slow = settings.preconditioning > 0;
  if (settings.is_first_order) {
    return is_slow ? first_slow : first;
  }
  if (settings.limiter == Limiter::none) {
    return is_slow ? second_slow : second;
  }
  return is_slow ? limited_slow : limited;
}

template <bool is_turbulent>
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
    const double sz = area_z[i];
    const double inverse = 2 / (around.volumes[i] + around.volumes[i - across]);
    const Gradient gradient{{sx * inverse, sy * inverse, sz * inverse},
                            {tangent_area(around.tangents[0], i, across, inverse),
                             tangent_area(around.tangents[1], i, across, inverse)}};
    const Vector du = gradient.of(vx + i, across, t1, t2);
    const Vector dv = gradient.of(vy + i, across, t1, t2);
    const Vector dw = gradient.of(vz + i, across, t1, t2);
    const Vector dt = gradient.of(temperature + i, across, t1, t2);
    double mu = viscosity;
    double conductivity = mu * heat;
    if constexpr (is_turbulent) {
      const double added = 0.5 * (eddy[i] + eddy[i - across]);
      mu += added;
      conductivity += added * turbulent_heat;
    }
    const double spread = (du[0] + dv[1] + dw[2]) * 2 / 3;
    const double fx =
        mu * ((2 * du[0] - spread) * sx + (du[1] + dv[0]) * sy + (du[2] + dw[0]) * sz);
    const double fy =
        mu * ((dv[0] + du[1]) * sx + (2 * dv[1] - spread) * sy + (dv[2] + dw[1]) * sz);
    const double fz =
        mu * ((dw[0] + du[2]) * sx + (dw[1] + dv[2]) * sy + (2 * dw[2] - spread) * sz);
    const double u = 0.5 * (vx[i] + vx[i - across]);
    const double v = 0.5 * (vy[i] + vy[i - across]);
    const double w = 0.5 * (vz[i] + vz[i - across]);
    mx[i] -= fx;
    my[i] -= fy;
    mz[i] -= fz;
    energy[i] -= u * fx + v * fy + w * fz + conductivity * (dt[0] * sx + dt[1] * sy + dt[2] * sz);
  }
}

ISTHMUS_MULTIVERSION void laminar(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  viscous_of<false>(row, viscous, gas);
}
ISTHMUS_MULTIVERSION void turbulent(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  viscous_of<true>(row, viscous, gas);
}

} // namespace

void set_inviscid(const FaceRow& row, const Gas& gas, const FluxSettings& settings) {
  const LowSpeed low_speed{settings.is_low_speed ? 0.0 : 1.0, settings.preconditioning};
  inviscid_of(settings)(row, gas.gamma, low_speed);
}

void add_viscous(const FaceRow& row, const ViscousRow& viscous, const Gas& gas) {
  (gas.is_turbulent ? turbulent : laminar)(row, viscous, gas);
}

} // namespace isthmus::flow
