// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/residual.hpp"

#include "flow/numerics/preconditioning.hpp"
#include "isthmus/radial/multiversion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isthmus::flow {

namespace {

/// The row of `count` faces along i across an axis; `first` is the cell behind the first one.
FaceRow face_row(const Block& block, int axis, std::span<const double> primitive, std::size_t first,
                 std::ptrdiff_t count) {
  const Faces& faces = block.faces[static_cast<std::size_t>(axis)];
  FaceRow row{};
  for (std::size_t v = 0; v < num_primitive; ++v) {
    row.cells[v] = primitive.data() + v * block.extent.stored() + first;
  }
  row.across = block.extent.stride(axis);
  row.is_plane = false;
  row.area_x = faces.x.data() + first;
  row.area_y = faces.y.data() + first;
  row.area_z = faces.z.data() + first;
  row.area = faces.size.data() + first;
  row.turning = faces.turning.data() + first;
  row.count = count;
  return row;
}

void set_motion(const Turning& turning, FaceRow& row) {
  row.turning_speed = turning.speed;
  row.velocity = turning.velocity;
}

ViscousRow viscous_row(const Block& block, int axis, std::size_t first) {
  ViscousRow row{block.volumes.data() + first, {}};
  std::size_t next = 0;
  for (int t = 0; t < 3; ++t) {
    if (t != axis) {
      const Faces& faces = block.faces[static_cast<std::size_t>(t)];
      const bool is_thin = t == 2 && block.extent.is_flat();
      row.tangents[next++] = {is_thin ? 0 : block.extent.stride(t), faces.x.data() + first,
                              faces.y.data() + first, faces.z.data() + first};
    }
  }
  return row;
}

void set_fluxes(const Block& block, int axis, const Physics& physics, FaceRow& row,
                std::size_t first) {
  set_inviscid(row, physics.gas, physics.flux);
  if (physics.gas.viscosity > 0) {
    add_viscous(row, viscous_row(block, axis, first), physics.gas);
  }
}

using FluxPointers = std::array<double*, num_conserved>;

/// One of three rows.
FluxPointers room_of(FluxRows& rows, int which) {
  FluxPointers pointers{};
  for (std::size_t v = 0; v < num_conserved; ++v) {
    pointers[v] = rows.rows[static_cast<std::size_t>(which) * num_conserved + v].data();
  }
  return pointers;
}

/// The flow in one block, and room for rows of fluxes.
struct BlockFlow {
  const Block& block;
  const Physics& physics;
  const Turning& turning;
  std::span<const double> primitive;
  FluxRows& rows;
  bool is_plane;
};

/// Whether all velocities along z are 0 where all areas are.
bool is_plane(const Block& block, std::span<const double> primitive) {
  const std::size_t stored = block.extent.stored();
  const std::span<const double> along_z = primitive.subspan(3 * stored, stored);
  return block.is_plane &&
         std::all_of(along_z.begin(), along_z.end(), [](double w) { return w == 0; });
}

/// Computes the fluxes of a row of `count` faces across an axis.
void compute_row(const BlockFlow& flow, int axis, std::size_t first, std::ptrdiff_t count,
                 const FluxPointers& fluxes) {
  FaceRow row = face_row(flow.block, axis, flow.primitive, first, count);
  set_motion(flow.turning, row);
  row.is_plane = flow.is_plane;
  row.fluxes = fluxes;
  set_fluxes(flow.block, axis, flow.physics, row, first);
}

/// Where the fluxes across k at the low ends of the cells (·, j, k) are.
FluxPointers across_planes(const BlockFlow& flow, int j, int k) {
  const std::ptrdiff_t n = flow.block.extent.count(0);
  FluxPointers pointers = room_of(flow.rows, k % 2);
  for (double*& pointer : pointers) {
    pointer += n + 1 + j * n;
  }
  return pointers;
}

/// Computes the fluxes across k at the low ends of the cells (·, j, k).
FluxPointers compute_below(const BlockFlow& flow, int j, int k) {
  const int n = flow.block.extent.count(0);
  const FluxPointers fluxes = across_planes(flow, j, k);
  compute_row(flow, 2, flow.block.extent.at(0, j, k), n, fluxes);
  return fluxes;
}

/// What flows through the faces of a row of cells.
struct RowFluxes {
  FluxPointers along; // across i, one more than there are cells
  FluxPointers low;   // across j
  FluxPointers high;
  FluxPointers below; // across k, if the grid is not flat
  FluxPointers above;
};

/// Sets what flows out of a row of cells, of one of the values.
ISTHMUS_MULTIVERSION void set_out(const RowFluxes& fluxes, std::size_t value, bool is_flat,
                                  std::ptrdiff_t count, double* __restrict out) {
  const double* const along = fluxes.along[value];
  const double* const low = fluxes.low[value];
  const double* const high = fluxes.high[value];
  if (is_flat) {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      out[i] = (along[i + 1] - along[i]) + (high[i] - low[i]);
    }
    return;
  }
  const double* const below = fluxes.below[value];
  const double* const above = fluxes.above[value];
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = (along[i + 1] - along[i]) + (high[i] - low[i]) + (above[i] - below[i]);
  }
}

/// Sets what flows out of the cells of a plane k = const: row after row, while its cells are in
/// caches; each face is computed once. Fluxes from the plane below are there.
void set_in_plane(const BlockFlow& flow, int k, std::span<double> residual) {
  const Extent& extent = flow.block.extent;
  const int n = extent.count(0);
  RowFluxes fluxes{};
  fluxes.along = room_of(flow.rows, 2);
  fluxes.high = room_of(flow.rows, 0);
  compute_row(flow, 1, extent.at(0, 0, k), n, fluxes.high);
  for (int j = 0; j < extent.count(1); ++j) {
    const std::size_t first = extent.at(0, j, k);
    fluxes.low = fluxes.high;
    fluxes.high = room_of(flow.rows, 1 - j % 2);
    compute_row(flow, 1, extent.at(0, j + 1, k), n, fluxes.high);
    compute_row(flow, 0, first, n + 1, fluxes.along);
    if (!extent.is_flat()) {
      fluxes.below = across_planes(flow, j, k);
      fluxes.above = compute_below(flow, j, k + 1);
    }
    for (std::size_t v = 0; v < num_conserved; ++v) {
      double* const out = residual.data() + v * extent.stored() + first;
      if (flow.is_plane && v == 3) {
        std::fill_n(out, n, 0.0);
      } else {
        set_out(fluxes, v, extent.is_flat(), n, out);
      }
    }
  }
}

void make_room(const Extent& extent, FluxRows& rows) {
  const auto row = static_cast<std::size_t>(extent.count(0));
  const auto plane = extent.is_flat() ? 0 : row * static_cast<std::size_t>(extent.count(1));
  for (std::vector<double>& room : rows.rows) {
    room.resize(std::max(room.size(), row + 1 + plane));
  }
}

/// Of the first cell.
double mach2(std::span<const double> primitive, std::size_t stored, double sound) {
  const double x = primitive[stored];
  const double y = primitive[2 * stored];
  const double z = primitive[3 * stored];
  return (x * x + y * y + z * z) / (sound * sound);
}

/// Momentum has components along axes that turn: it turns back in them.
void add_turning(const Block& block, double speed, std::span<const double> primitive,
                 std::span<double> residual) {
  const std::size_t stored = block.extent.stored();
  block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    const auto last = first + static_cast<std::size_t>(block.extent.count(0));
    for (std::size_t at = first; at < last; ++at) {
      const double factor = speed * block.volumes[at] * primitive[at];
      residual[stored + at] -= factor * primitive[2 * stored + at];
      residual[2 * stored + at] += factor * primitive[stored + at];
    }
  });
}

} // namespace

void set_primitives(const Extent& extent, const Gas& gas, std::span<const double> conserved,
                    BlockValues primitive) {
  const std::size_t stored = extent.stored();
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    const double* const u = conserved.data() + first;
    double* const w = primitive.data() + first;
    const auto n = static_cast<std::size_t>(extent.count(0));
    for (std::size_t i = 0; i < n; ++i) {
      const double inverse = 1 / u[i];
      const double x = u[stored + i] * inverse;
      const double y = u[2 * stored + i] * inverse;
      const double z = u[3 * stored + i] * inverse;
      w[i] = u[i];
      w[stored + i] = x;
      w[2 * stored + i] = y;
      w[3 * stored + i] = z;
      w[4 * stored + i] =
          (gas.gamma - 1) * (u[4 * stored + i] - 0.5 * u[i] * (x * x + y * y + z * z));
    }
  });
}

void set_temperatures(const Extent& extent, const Gas& gas, BlockValues primitive) {
  const std::size_t stored = extent.stored();
  const double* const density = primitive.data();
  const double* const pressure = primitive.data() + 4 * stored;
  double* const temperature = primitive.data() + 5 * stored;
  for (std::size_t at = 0; at < stored; ++at) {
    temperature[at] = gas.gamma * pressure[at] / density[at];
  }
}

void set_residual(const Block& block, const Physics& physics, const Turning& turning,
                  std::span<const double> primitive, FluxRows& rows, std::span<double> residual) {
  make_room(block.extent, rows);
  const BlockFlow flow{block, physics, turning, primitive, rows, is_plane(block, primitive)};
  for (int j = 0; j < (block.extent.is_flat() ? 0 : block.extent.count(1)); ++j) {
    compute_below(flow, j, 0);
  }
  for (int k = 0; k < block.extent.count(2); ++k) {
    set_in_plane(flow, k, residual);
  }
  if (turning.speed != 0) {
    add_turning(block, turning.speed, primitive, residual);
  }
}

void set_steps(const Block& block, const Physics& physics, const Turning& turning,
               std::span<const double> primitive, std::span<double> steps) {
  const Extent& extent = block.extent;
  const std::size_t stored = extent.stored();
  const Gas& gas = physics.gas;
  const double laminar = 4 * gas.viscosity * std::max(4.0 / 3, gas.gamma / gas.prandtl);
  const double turbulent =
      gas.is_turbulent ? 4 * std::max(4.0 / 3, gas.gamma / gas.turbulent_prandtl) : 0;
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    const auto last = first + static_cast<std::size_t>(extent.count(0));
    for (std::size_t at = first; at < last; ++at) {
      const double c = std::sqrt(gas.gamma * primitive[4 * stored + at] / primitive[at]);
      const double least = physics.flux.preconditioning;
      const double slow = least > 0 ? slowing(mach2(primitive.subspan(at), stored, c), least) : 1;
      const double diffusion = laminar + turbulent * primitive[eddy_field * stored + at];
      double sum = 0; // of the fastest waves and of diffusion
      for (int axis = 0; axis < (extent.is_flat() ? 2 : 3); ++axis) {
        const Faces& f = block.faces[static_cast<std::size_t>(axis)];
        const std::size_t next = at + static_cast<std::size_t>(extent.stride(axis));
        const double x = 0.5 * (f.x[at] + f.x[next]);
        const double y = 0.5 * (f.y[at] + f.y[next]);
        const double z = 0.5 * (f.z[at] + f.z[next]);
        const double moving = 0.5 * turning.speed * (f.turning[at] + f.turning[next]) +
                              turning.velocity[0] * x + turning.velocity[1] * y +
                              turning.velocity[2] * z;
        const double square = x * x + y * y + z * z;
        const double through = primitive[stored + at] * x + primitive[2 * stored + at] * y +
                               primitive[3 * stored + at] * z - moving;
        sum += fastest(through, c * std::sqrt(square), slow) +
               diffusion * square / (primitive[at] * block.volumes[at]);
      }
      steps[at] = block.volumes[at] / sum;
    }
  });
}

void add_load(const Block& block, const BoundarySide& side, const Physics& physics,
              const Turning& turning, std::span<const double> primitive, LoadSum& sum) {
  for (const Load& load : face_loads(block, side, physics, turning, primitive)) {
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c].add(load.values[c]);
    }
  }
}

std::vector<Load> face_loads(const Block& block, const BoundarySide& side, const Physics& physics,
                             const Turning& turning, std::span<const double> primitive) {
  const int axis = side.side.axis;
  std::array<double, num_conserved> flux{};
  std::vector<Load> loads;
  const double into = side.side.end == 0 ? -1 : 1; // the wall, of what flows to the high side
  side.for_each_face(block.extent, [&](const Index3& cell) {
    const std::size_t first = block.extent.at(cell);
    FaceRow row = face_row(block, axis, primitive, first, 1);
    set_motion(turning, row);
    for (std::size_t v = 0; v < num_conserved; ++v) {
      row.fluxes[v] = &flux[v];
    }
    set_fluxes(block, axis, physics, row, first);
    Index3 before = cell;
    --before[static_cast<std::size_t>(axis)];
    const Vector a = block.center(cell[0], cell[1], cell[2]);
    const Vector b = block.center(before[0], before[1], before[2]);
    const double x = 0.5 * (a[0] + b[0]) - turning.pivot[0];
    const double y = 0.5 * (a[1] + b[1]) - turning.pivot[1];
    loads.push_back(
        {{into * flux[1], into * flux[2], into * flux[3], into * (x * flux[2] - y * flux[1])}});
  });
  return loads;
}

} // namespace isthmus::flow
