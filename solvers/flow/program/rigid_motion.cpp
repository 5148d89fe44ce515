// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/rigid_motion.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus::flow {

namespace {

constexpr double tolerance = 1e-6; // of a rigid motion, in parts of the size of the body

/// Collective. The sum of term(point number) over all points, with twice the digits: the same bits
/// on any number of ranks.
template <typename Term>
Vector sum_points(const comm::Comm& comm, std::span<const Vector> points, Term&& term) {
  std::array<Twofold, 3> sums{};
  for (std::size_t n = 0; n < points.size(); ++n) {
    const Vector value = term(n);
    for (std::size_t c = 0; c < 3; ++c) {
      sums[c] += Twofold{value[c]};
    }
  }
  comm::allreduce_sum(comm, sums);
  return {sums[0].value, sums[1].value, sums[2].value};
}

Vector turned(const Vector& v, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
}

Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector sum(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

double length(const Vector& v) {
  return std::hypot(v[0], v[1], v[2]);
}

} // namespace

Place fit_place(const comm::Comm& comm, std::span<const Vector> points, const Vector& pivot,
                std::span<const Vector> moved) {
  const double count = sum_points(comm, points, [](std::size_t) { return Vector{1, 0, 0}; })[0];
  const auto mean = [count](const Vector& total) {
    return Vector{total[0] / count, total[1] / count, total[2] / count};
  };
  const Vector center = mean(sum_points(comm, points, [&](std::size_t n) { return points[n]; }));
  const Vector shift = mean(sum_points(comm, points, [&](std::size_t n) { return moved[n]; }));
  const Vector products = sum_points(comm, points, [&](std::size_t n) {
    const Vector from = difference(points[n], center);
    const Vector to = sum(from, difference(moved[n], shift));
    return Vector{from[0] * to[0] + from[1] * to[1], from[0] * to[1] - from[1] * to[0], 0};
  });
  Place place;
  place.angle = std::atan2(products[1], products[0]);
  double size = 0;
  double off = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const Vector from = difference(points[n], center);
    const Vector expected = sum(shift, difference(turned(from, place.angle), from));
    size = std::max(size, length(from));
    off = std::max(off, length(difference(moved[n], expected)));
  }
  size = comm::allreduce(comm, size, comm::Op::max);
  off = comm::allreduce(comm, off, comm::Op::max);
  check(off <= tolerance * size,
        "the displacements that were read are those of no rigid body: the nearest rigid motion "
        "leaves {} of a body of size {}; grids that deform are not there yet, turning about x or y "
        "neither",
        off, size);
  const Vector arm = difference(pivot, center);
  place.shift = sum(shift, difference(turned(arm, place.angle), arm));
  return place;
}

void Track::begin_step() {
  earlier_ = before_;
  before_ = now_;
  ++steps_;
}

Attitude Track::attitude(double incidence, double step) const {
  const bool is_first = steps_ < 2;
  const auto rate = [&](double now, double before, double earlier) {
    return (is_first ? now - before : 1.5 * now - 2 * before + 0.5 * earlier) / step;
  };
  Vector velocity{};
  for (std::size_t c = 0; c < 3; ++c) {
    velocity[c] = rate(now_.shift[c], before_.shift[c], earlier_.shift[c]);
  }
  return {incidence - now_.angle, rate(now_.angle, before_.angle, earlier_.angle),
          turned(velocity, -now_.angle)};
}

} // namespace isthmus::flow
