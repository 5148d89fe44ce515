// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/gas.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isthmus::flow {

/// By how much the pressure changes slower in pseudo time, so that sound is about as fast as the
/// flow: the square of the Mach number, at least `least` and at most 1.
[[nodiscard]] inline double slowing(double mach2, double least) {
  return std::min(1.0, std::max(mach2, least));
}

/// The least value of slowing(): that of the free stream, so that places where the flow stands
/// still remain stable, and in time that of a wave that crosses the length 1 within pi steps:
/// Venkateswaran, Merkle (1995), doi:10.2514/6.1995-78. `step` in time; 0: none.
[[nodiscard]] double least_slowing(double mach, double step);

/// Pseudo time at low speed: of a change, the part that is sound (pressure at constant entropy and
/// velocity) is multiplied by slowing(); Turkel (1987), doi:10.1016/0021-9991(87)90084-2, with his
/// alpha = 0. The factor is 1 + (slowing - 1) r l: r is the change of all values by a sound of
/// pressure 1, l the pressure of a change.
class Preconditioner {
 public:
  /// Of conserved values u[v * stride].
  Preconditioner(const Gas& gas, const double* u, std::size_t stride, double least)
      : velocity_{u[stride] / u[0], u[2 * stride] / u[0], u[3 * stride] / u[0]},
        half_square_(0.5 * (velocity_[0] * velocity_[0] + velocity_[1] * velocity_[1] +
                            velocity_[2] * velocity_[2])),
        part_(gas.gamma - 1) {
    const double inner = u[4 * stride] / u[0] - half_square_; // energy per mass
    enthalpy_ = gas.gamma * inner + half_square_;
    const double sound2 = gas.gamma * part_ * inner;
    inverse_ = 1 / sound2;
    slowing_ = flow::slowing(2 * half_square_ * inverse_, least);
  }

  [[nodiscard]] double slowing() const { return slowing_; }
  /// l of a change.
  [[nodiscard]] double pressure(const double* change, std::size_t stride) const {
    return part_ * (half_square_ * change[0] - velocity_[0] * change[stride] -
                    velocity_[1] * change[2 * stride] - velocity_[2] * change[3 * stride] +
                    change[4 * stride]);
  }
  /// Adds r times a pressure.
  void add_sound(double pressure, double* change, std::size_t stride) const {
    const double mass = pressure * inverse_;
    change[0] += mass;
    change[stride] += mass * velocity_[0];
    change[2 * stride] += mass * velocity_[1];
    change[3 * stride] += mass * velocity_[2];
    change[4 * stride] += mass * enthalpy_;
  }
  /// The change becomes what it is in this pseudo time.
  void apply(double* change, std::size_t stride) const {
    add_sound((slowing_ - 1) * pressure(change, stride), change, stride);
  }

 private:
  Vector velocity_;
  double half_square_;
  double part_;
  double enthalpy_ = 0;
  double inverse_ = 1; // of the square of the speed of sound
  double slowing_ = 1;
};

/// The fastest wave across an area in this pseudo time: `through` is the flow through it relative
/// to it, `sound` the speed of sound times the area, `slowing` of the cell.
[[nodiscard]] inline double fastest(double through, double sound, double slowing) {
  const double size = std::abs(through);
  const double apart = (1 - slowing) * size;
  return 0.5 * ((1 + slowing) * size + std::sqrt(apart * apart + 4 * slowing * sound * sound));
}

} // namespace isthmus::flow
