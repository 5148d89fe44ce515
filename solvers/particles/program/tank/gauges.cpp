// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/gauges.hpp"

#include "isthmus/comm/collective.hpp"
#include "particles/fluid/kernel.hpp"
#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace isthmus::mps {

namespace {

bool is_near(const Case& from, const Box& box, const exchange::Position& at, double far) {
  bool result = true;
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
    result = result && at[d] > box.lower[d] - far && at[d] < box.upper[d] + far;
  }
  return result;
}

/// Points in the middle of equal parts of a box on a plane, at most a spacing long, but half a
/// spacing behind it, where the particles of a wall would be.
std::vector<Vector> points_on(const Case& from, const Box& box, const Plane& plane) {
  std::vector<Vector> points{Vector{}};
  points[0][plane.direction] = plane.at - plane.inward * 0.5 * from.spacing;
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
    const double lower = std::max(box.lower[d], from.tank.lower[d]);
    const double length = std::max(0.0, std::min(box.upper[d], from.tank.upper[d]) - lower);
    const double parts = std::max(1.0, std::ceil(length / from.spacing - 1e-6));
    std::vector<Vector> more;
    for (double k = 0; k < parts && d != plane.direction; ++k) {
      for (Vector point : points) {
        point[d] = lower + (k + 0.5) / parts * length;
        more.push_back(point);
      }
    }
    points = d == plane.direction ? points : more;
  }
  return points;
}

/// Of all planes that the box touches.
std::vector<Vector> points_of(const Case& from, const Box& box) {
  std::vector<Vector> result;
  for (const Plane& plane : from.tank.planes(from.dimensions)) {
    const double slack = 0.01 * from.spacing;
    if (box.lower[plane.direction] <= plane.at + slack &&
        box.upper[plane.direction] >= plane.at - slack) {
      const std::vector<Vector> points = points_on(from, box, plane);
      result.insert(result.end(), points.begin(), points.end());
    }
  }
  return result;
}

/// What a gauge sums up: pressures of walls and their number, then weighted pressures and weights
/// at each point.
class Gauge {
 public:
  Gauge(const Case& from, const Kernel& kernel, const Box& box)
      : from_(from),
        kernel_(kernel),
        box_(box),
        points_(points_of(from, box)),
        sums_(2 + 2 * points_.size()) {}

  void add(const exchange::Position& at, Kind kind, double pressure) {
    if (kind == Kind::wall && is_near(from_, box_, at, from_.spacing)) {
      sums_[0] += pressure;
      sums_[1] += 1;
    }
    if (kind != Kind::fluid || !is_near(from_, box_, at, kernel_.radius())) {
      return;
    }
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const Vector way{points_[n][0] - at[0], points_[n][1] - at[1], points_[n][2] - at[2]};
      const double distance = std::max(std::sqrt(dot(way, way)), 0.1 * kernel_.spacing());
      if (distance < kernel_.radius()) {
        const double deeper = from_.liquid.density * dot(from_.liquid.gravity, way);
        sums_[2 + 2 * n] += kernel_.weight(distance) * (pressure + deeper);
        sums_[3 + 2 * n] += kernel_.weight(distance);
      }
    }
  }

  [[nodiscard]] std::span<double> sums() { return sums_; }

  [[nodiscard]] double mean() const {
    if (sums_[1] > 0 || points_.empty()) {
      return sums_[0] / std::max(1.0, sums_[1]);
    }
    double result = 0;
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const double weight = sums_[3 + 2 * n];
      result += weight > 0 ? sums_[2 + 2 * n] / weight : 0;
    }
    return result / static_cast<double>(points_.size());
  }

 private:
  const Case& from_;
  const Kernel& kernel_;
  const Box& box_;
  std::vector<Vector> points_;
  std::vector<double> sums_;
};

} // namespace

std::vector<double> read_gauges(const comm::Comm& comm, const Case& from, State& state) {
  const Kernel kernel(from.dimensions, from.spacing, from.radius);
  std::vector<double> result;
  for (const Box& box : from.tank.gauges) {
    Gauge gauge(from, kernel, box);
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      gauge.add(state.positions()[row], state.kinds()[row], state.pressures()[row]);
    }
    comm::allreduce(comm, gauge.sums(), comm::Op::sum);
    result.push_back(gauge.mean());
  }
  return result;
}

} // namespace isthmus::mps
