// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/solution.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Where a rigid body is: how far its pivot has moved, and its angle about the z axis, rad.
struct Place {
  Vector shift{};
  double angle = 0;
};

/// Points of a body, given side by side: of each side of a block all points are on one rank.
struct BodyPoints {
  struct Side {
    std::size_t number; // the same on all ranks: 6 * block + 2 * axis + end
    std::size_t first;  // among the points
    std::size_t count;
  };
  std::vector<Side> sides;    // of this rank
  std::size_t num_sides = 0;  // of all ranks, 6 per block
  std::vector<Vector> points; // of this rank
};

/// Collective. The rigid motion that is nearest to how far the points have moved, in the plane of
/// x and y by least squares (Kabsch (1976), doi:10.1107/S0567739476001873), along z by the mean.
/// The same bits on all ranks, however many. Throws Error on all ranks if some point is farther
/// from it than a millionth of the size of the body: that is no rigid motion.
[[nodiscard]] Place fit_place(const comm::Comm& comm, const BodyPoints& body, const Vector& pivot,
                              std::span<const Vector> moved);

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
