// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/solution.hpp"

#include <span>

namespace isthmus::flow {

/// Where a rigid body is: how far its pivot has moved, and its angle about the z axis, rad.
struct Place {
  Vector shift{};
  double angle = 0;
};

/// Collective. The rigid motion that is nearest to how far the points of all ranks have moved, in
/// the plane of x and y by least squares (Kabsch (1976), doi:10.1107/S0567739476001873), along z by
/// the mean. The same bits on all ranks, however many. Throws Error on all ranks if some point is
/// farther from it than a millionth of the size of the body: that is no rigid motion.
[[nodiscard]] Place fit_place(const comm::Comm& comm, std::span<const Vector> points,
                              const Vector& pivot, std::span<const Vector> moved);

/// The places of a body at the ends of the last steps, of equal size, and how fast it is.
class Track {
 public:
  /// A step begins: where the body is becomes where it was.
  void begin_step();
  void set(const Place& place) { now_ = place; }
  [[nodiscard]] const Place& place() const { return now_; }

  /// At the end of the step, with the derivative of second order that the flow has in dual time, of
  /// first order in the first step. `incidence`: of the free stream where the angle is 0.
  [[nodiscard]] Attitude attitude(double incidence, double step) const;

 private:
  Place now_;
  Place before_;
  Place earlier_;
  int steps_ = 0; // that have begun
};

} // namespace isthmus::flow
