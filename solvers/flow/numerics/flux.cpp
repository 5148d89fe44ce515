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

/// Half the limited differences of the cells at both sides of a face, from those to their
/// neighbours: (b a^2 + a b^2) / (a^2 + b^2), of both with one division.
inline std::array<double, 2> half_limited(double before, double between, double after) {
  constexpr double tiny = 1e-12; // keeps smooth extrema
  const double b2 = before * before + tiny;
  const double m2 = between * between + tiny;
  const double a2 = after * after + tiny;
  const double low = b2 + m2;
  const double high = m2 + a2;
  const double factor = 0.5 / (low * high);
  return {factor * high * (before * m2 + between * b2), factor * low * (between * a2 + after * m2)};
}

/// Both sides of a face between cells `at` - across and `at`.
template <Order order>
inline std::array<double, 2> sides(const double* at, std::ptrdiff_t across) {
  const double low = at[-across];
  const double high = at[0];
  if constexpr (order == Order::first) {
    return {low, high};
  }
  const double between = high - low;
  if constexpr (order == Order::second) {
    constexpr double sixth = 1.0 / 6; // compilers divide by 6, which takes longer
    return {low + sixth * ((high - at[-2 * across]) + between),
            high - sixth * ((at[across] - low) + between)};
  }
  const auto [behind, ahead] = half_limited(low - at[-2 * across], between, at[across] - high);
  return {low + behind, high - ahead};
}

/// Twice of it, per area.
struct Flux {
  double mass;
  double x;
  double y;
  double z;
  double energy;
};

/// A speed below which waves are not let, and 1 over twice of it.
struct Width {
  double value;
  double half_inverse;
};

/// Keeps the speed of a wave away from 0 (Harten (1983), doi:10.1016/0021-9991(83)90136-5).
inline double away_from_zero(double speed, const Width& width) {
  const double size = std::abs(speed);
  const double below = std::max(width.value - size, 0.0);
  return size + below * below * width.half_inverse;
}

/// How sound is treated at low speed.
struct LowSpeed {
  double least_scale;   // of jumps of the normal velocity
  double least_slowing; // of sound in pseudo time
};

/// What the Riemann problem of a face has in the mean.
struct Mean {
  double density;
  double sound;     // speed of it
  double of_sound2; // 1 over its square
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
  const Width width{0.05 * c, 10 * c * mean.of_sound2};
  const double scale = std::max(least_scale, std::min(1.0, std::sqrt(mean.mach2)));
  const double acoustic = mean.density * c * jump_q * scale;
  const double half = 0.5 * mean.of_sound2;
  return {away_from_zero(mean.normal - c, width) * (jump_p - acoustic) * half,
          away_from_zero(mean.normal + c, width) * (jump_p + acoustic) * half,
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
  const double of_between = 1 / between;
  const Width width{0.025 * between, 20 * of_between};
  const double ahead = away_from_zero(high, width);
  const double back = away_from_zero(low, width);
  const double slope = (ahead - back) * of_between;
  const double rest = (high * back - low * ahead) * of_between;
  const double pressure =
      (slope * mean.normal + rest / slow) * jump_p * mean.of_sound2 + slope * mean.density * jump_q;
  const double turn =
      (slope * jump_p + (slope * mean.normal + rest) * mean.density * jump_q) * c * mean.of_sound2;
  return {0.5 * (pressure - turn), 0.5 * (pressure + turn), away_from_zero(mean.normal, width)};
}

/// The face between two cells: unit normal, the speed of the face along it.
struct Face {
  Vector normal;
  double speed;
};

inline double product(const State& a, const State& b) {
  return a.u * b.u + a.v * b.v + a.w * b.w;
}

/// `of_both` is 1 over both densities. Roe's mean of a value is (l + root * r) * part. So the mean
/// velocity appears in products of those of both sides only, and what waves carry of it joins what
/// both sides do: that takes a fifth less of everything than term after term.
template <bool has_slow_sound>
inline Flux roe(const State& l, const State& r, double of_both, const Face& face, double gamma,
                const LowSpeed& low_speed) {
  const Vector& n = face.normal;
  const double factor = gamma / (gamma - 1) * of_both;
  const double ll = product(l, l);
  const double rr = product(r, r);
  const double lr = product(l, r);
  const double hl = factor * r.density * l.pressure + 0.5 * ll;
  const double hr = factor * l.density * r.pressure + 0.5 * rr;
  const double ql = l.u * n[0] + l.v * n[1] + l.w * n[2];
  const double qr = r.u * n[0] + r.v * n[1] + r.w * n[2];
  const double mass_l = l.density * (ql - face.speed);
  const double mass_r = r.density * (qr - face.speed);
  const double root = r.density * std::sqrt(of_both); // of r over l
  const double all = 1 + root;
  const double root_rr = root * rr;
  // sums of weight `all`; that of opposite velocities, as at a wall, must not be below 0 by
  // rounding
  const double of_speed2 = std::max(ll + root * (root_rr + 2 * lr), 0.0);
  const double of_enthalpy = hl + root * hr;
  const double sc = (gamma - 1) * (of_enthalpy * all - 0.5 * of_speed2);
  const double of_all_sc = 1 / (all * sc); // divisions take the most time of all this
  const double part = of_all_sc * sc;
  const double of_c2 = all * all * all * of_all_sc;
  const double density = root * l.density;
  const double square = of_speed2 * part * part;
  const double q = (ql + root * qr) * part;
  const double c = std::sqrt(sc) * part;
  const double jump_q = qr - ql;
  const double jump_p = r.pressure - l.pressure;
  const Mean mean{density, c, of_c2, square * of_c2, q - face.speed};
  const Waves found = has_slow_sound ? slow_waves(mean, jump_p, jump_q, low_speed.least_slowing)
                                     : waves(mean, jump_p, jump_q, low_speed.least_scale);
  const auto [d1, d5, here] = found;
  const double d2 = here * (r.density - l.density - jump_p * of_c2);
  const double shear = here * density;
  const double sum = d1 + d2 + d5;
  const double turn = c * (d5 - d1) - shear * jump_q;
  const double both = l.pressure + r.pressure;
  const double along = both - turn;
  const double of_sum = sum * part;
  const double of_l = mass_l + shear - of_sum;
  const double of_r = mass_r - shear - of_sum * root;
  const double sound = (d1 + d5) * part;
  const double work = root_rr - ll + (1 - root) * lr; // mean velocity times its jump, over part
  return {mass_l + mass_r - sum, of_l * l.u + of_r * r.u + along * n[0],
          of_l * l.v + of_r * r.v + along * n[1], of_l * l.w + of_r * r.w + along * n[2],
          (mass_l - sound) * hl + (mass_r - sound * root) * hr + both * face.speed - turn * q -
              d2 * 0.5 * square - shear * part * work};
}

template <Order order, bool has_slow_sound, bool is_plane>
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
  const double* const size = row.area;
  const double* const turning = row.turning;
  const LowSpeed low = low_speed;
  const std::ptrdiff_t count = row.count;
#pragma GCC ivdep // fluxes are no values of cells
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double sx = area_x[i];
    const double sy = area_y[i];
    const double sz = is_plane ? 0 : area_z[i];
    const double area = size[i];
    const auto d = sides<order>(rho + i, across);
    const auto x = sides<order>(vx + i, across);
    const auto y = sides<order>(vy + i, across);
    const auto z = is_plane ? std::array{0.0, 0.0} : sides<order>(vz + i, across);
    const auto e = sides<order>(p + i, across);
    const double some = std::max(area, 1e-300);
    const double of_all = 1 / (d[0] * d[1] * some);
    const double inverse = of_all * d[0] * d[1];
    const Face face{
        {sx * inverse, sy * inverse, sz * inverse},
        (turning_speed * turning[i] + drift[0] * sx + drift[1] * sy + drift[2] * sz) * inverse};
    const Flux flux =
        roe<has_slow_sound>({d[0], x[0], y[0], z[0], e[0]}, {d[1], x[1], y[1], z[1], e[1]},
                            of_all * some, face, gamma, low);
    const double half = 0.5 * area;
    mass[i] = half * flux.mass;
    mx[i] = half * flux.x;
    my[i] = half * flux.y;
    if constexpr (!is_plane) {
      mz[i] = half * flux.z;
    }
    energy[i] = half * flux.energy;
  }
}

using Inviscid = void (*)(const FaceRow&, double, const LowSpeed&);

template <Order order, bool has_slow_sound>
inline void any_inviscid(const FaceRow& row, double gamma, const LowSpeed& low) {
  if (row.is_plane) {
    inviscid<order, has_slow_sound, true>(row, gamma, low);
  } else {
    inviscid<order, has_slow_sound, false>(row, gamma, low);
  }
}

ISTHMUS_MULTIVERSION void first(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::first, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void second(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::second, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void limited(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::limited, false>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void first_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::first, true>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void second_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::second, true>(row, gamma, low);
}
ISTHMUS_MULTIVERSION void limited_slow(const FaceRow& row, double gamma, const LowSpeed& low) {
  any_inviscid<Order::limited, true>(row, gamma, low);
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

} // namespace

void set_inviscid(const FaceRow& row, const Gas& gas, const FluxSettings& settings) {
  const LowSpeed low_speed{settings.is_low_speed ? 0.0 : 1.0, settings.preconditioning};
  inviscid_of(settings)(row, gas.gamma, low_speed);
}

} // namespace isthmus::flow
