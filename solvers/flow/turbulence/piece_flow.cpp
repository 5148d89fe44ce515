// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/piece_flow.hpp"

#include <cmath>

namespace isthmus::flow {

PieceFlow piece_flow(const Solution& solution, std::size_t own, int snapshot) {
  return {solution.grid().own[own], solution.physics().gas, solution.turning(snapshot),
          solution.primitive(own, snapshot), snapshot};
}

double mass_flux(const PieceFlow& flow, int axis, std::size_t cell) {
  const Faces& faces = flow.block.faces[static_cast<std::size_t>(axis)];
  const std::size_t before = cell - static_cast<std::size_t>(flow.block.extent.stride(axis));
  const Vector area{faces.x[cell], faces.y[cell], faces.z[cell]};
  const double* const density = flow.field(0);
  double sum = -flow.turning.speed * faces.turning[cell] * (density[before] + density[cell]);
  for (std::size_t c = 0; c < 3; ++c) {
    const double* const velocity = flow.field(c + 1);
    sum += area[c] * (density[before] * (velocity[before] - flow.turning.velocity[c]) +
                      density[cell] * (velocity[cell] - flow.turning.velocity[c]));
  }
  return 0.5 * sum;
}

Vector gradient(const Block& block, const double* field, std::size_t cell) {
  Vector sum{};
  for (int axis = 0; axis < (block.extent.is_flat() ? 2 : 3); ++axis) {
    const auto stride = static_cast<std::size_t>(block.extent.stride(axis));
    const Faces& faces = block.faces[static_cast<std::size_t>(axis)];
    const double low = field[cell - stride] + field[cell];
    const double high = field[cell] + field[cell + stride];
    sum[0] += high * faces.x[cell + stride] - low * faces.x[cell];
    sum[1] += high * faces.y[cell + stride] - low * faces.y[cell];
    sum[2] += high * faces.z[cell + stride] - low * faces.z[cell];
  }
  const double factor = 0.5 / block.volumes[cell];
  return {factor * sum[0], factor * sum[1], factor * sum[2]};
}

double vorticity(const PieceFlow& flow, std::size_t cell) {
  const Vector u = gradient(flow.block, flow.field(1), cell);
  const Vector v = gradient(flow.block, flow.field(2), cell);
  const Vector w = gradient(flow.block, flow.field(3), cell);
  const double x = w[1] - v[2];
  const double y = u[2] - w[0];
  const double z = v[0] - u[1];
  return std::sqrt(x * x + y * y + z * z);
}

} // namespace isthmus::flow
