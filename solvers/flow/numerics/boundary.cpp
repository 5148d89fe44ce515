// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/boundary.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::flow {

namespace {

/// Of the flow side, which has the unit normal n out of the domain.
Primitive far_state(const Gas& gas, const Primitive& inner, const Primitive& outer, const Vector& n,
                    double face_speed) {
  const auto normal = [&n](const Primitive& w) { return w[1] * n[0] + w[2] * n[1] + w[3] * n[2]; };
  const double c_inner = std::sqrt(gas.gamma * inner[4] / inner[0]);
  const double c_outer = std::sqrt(gas.gamma * outer[4] / outer[0]);
  const double relative = normal(inner) - face_speed;
  if (std::abs(relative) >= c_inner) {
    return relative > 0 ? inner : outer;
  }
  const double out = normal(inner) + 2 * c_inner / (gas.gamma - 1);
  const double in = normal(outer) - 2 * c_outer / (gas.gamma - 1);
  const double speed = 0.5 * (out + in);
  const double c = 0.25 * (gas.gamma - 1) * (out - in);
  const Primitive& from = speed > face_speed ? inner : outer; // where the entropy comes from
  const double entropy = from[4] / std::pow(from[0], gas.gamma);
  const double density = std::pow(c * c / (gas.gamma * entropy), 1 / (gas.gamma - 1));
  const double change = speed - normal(from);
  return {density, from[1] + change * n[0], from[2] + change * n[1], from[3] + change * n[2],
          density * c * c / gas.gamma};
}

/// The cell before a side whose ghost is `layer` cells behind it, at the wall with unit normal n.
Primitive ghost_state(BoundaryKind kind, const Gas& gas, const Primitive& inner,
                      const Primitive& undisturbed, const Vector& n, const Vector& wall) {
  if (kind == BoundaryKind::far_field) {
    const double face_speed = wall[0] * n[0] + wall[1] * n[1] + wall[2] * n[2];
    return far_state(gas, inner, undisturbed, n, face_speed);
  }
  Primitive ghost = inner;
  if (kind == BoundaryKind::outflow) {
    const double c2 = gas.gamma * inner[4] / inner[0];
    const double speed2 = inner[1] * inner[1] + inner[2] * inner[2] + inner[3] * inner[3];
    ghost[4] = speed2 < c2 ? undisturbed[4] : inner[4];
    return ghost;
  }
  double normal = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    normal += (inner[c + 1] - wall[c]) * n[c];
  }
  for (std::size_t c = 0; c < 3; ++c) {
    ghost[c + 1] = kind == BoundaryKind::no_slip ? 2 * wall[c] - inner[c + 1]
                                                 : inner[c + 1] - 2 * normal * n[c];
  }
  return ghost;
}

/// Of the face at the low end of a cell along an axis.
Vector face_center(const Block& block, const Index3& cell, int axis) {
  Index3 other = cell;
  --other[static_cast<std::size_t>(axis)];
  const Vector high = block.center(cell[0], cell[1], cell[2]);
  const Vector low = block.center(other[0], other[1], other[2]);
  return {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
}

} // namespace

void fill_boundary(const Block& block, const BoundarySide& side, const Gas& gas,
                   const Primitive& undisturbed, const Turning& turning, BlockValues values) {
  const Extent& extent = block.extent;
  const int axis = side.side.axis;
  const auto a = static_cast<std::size_t>(axis);
  const std::size_t stored = extent.stored();
  const Faces& faces = block.faces[a];
  const int last = extent.count(axis) - 1;
  const double outwards = side.side.end == 0 ? -1 : 1;
  side.for_each_ghost([&](const Index3& cell) {
    const int layer = side.side.end == 0 ? -1 - cell[a] : cell[a] - last - 1;
    Index3 before = cell;
    Index3 first = cell; // the cell whose low face is the boundary
    // far: constant behind the border; walls: mirrored
    const int depth = !is_wall(side.kind) ? 0 : std::min(layer, last);
    before[a] = side.side.end == 0 ? depth : last - depth;
    first[a] = side.side.end == 0 ? 0 : last + 1;
    const std::size_t face = extent.at(first);
    const double area = std::hypot(faces.x[face], faces.y[face], faces.z[face]);
    const double factor = area > 0 ? outwards / area : 0;
    const Vector n{factor * faces.x[face], factor * faces.y[face], factor * faces.z[face]};
    const Vector point = turning.speed == 0 ? turning.pivot : face_center(block, first, axis);
    const Vector wall{turning.velocity[0] - turning.speed * (point[1] - turning.pivot[1]),
                      turning.velocity[1] + turning.speed * (point[0] - turning.pivot[0]),
                      turning.velocity[2]};
    Primitive inner{};
    for (std::size_t v = 0; v < inner.size(); ++v) {
      inner[v] = values[v * stored + extent.at(before)];
    }
    const Primitive ghost = ghost_state(side.kind, gas, inner, undisturbed, n, wall);
    for (std::size_t v = 0; v < ghost.size(); ++v) {
      values[v * stored + extent.at(cell)] = ghost[v];
    }
    // none at a wall
    double* const eddy = values.data() + eddy_field * stored;
    eddy[extent.at(cell)] = (side.kind == BoundaryKind::no_slip ? -1 : 1) * eddy[extent.at(before)];
  });
}

} // namespace isthmus::flow
