// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/transport.hpp"

#include <algorithm>

namespace isthmus::flow {

namespace {

/// The face at the low end of a cell along an axis.
struct Face {
  const Block& block;
  int axis;
  std::size_t cell;

  [[nodiscard]] Vector area() const { return area_of(axis, cell); }
  [[nodiscard]] Vector area_of(int of_axis, std::size_t at) const {
    const Faces& faces = block.faces[static_cast<std::size_t>(of_axis)];
    return {faces.x[at], faces.y[at], faces.z[at]};
  }
  [[nodiscard]] std::size_t before() const {
    return cell - static_cast<std::size_t>(block.extent.stride(axis));
  }
  /// One over the volume between the cells' centres.
  [[nodiscard]] double inverse() const {
    return 2 / (block.volumes[before()] + block.volumes[cell]);
  }
  /// The part of the gradient of a field along the face, times its area.
  [[nodiscard]] double slanted(const double* field) const {
    const Vector own = area();
    double sum = 0;
    for (int t = 0; t < (block.extent.is_flat() ? 2 : 3); ++t) {
      if (t == axis) {
        continue;
      }
      const auto step = static_cast<std::size_t>(block.extent.stride(t));
      double dot = 0;
      for (const std::size_t at : {cell, cell + step, before(), before() + step}) {
        const Vector area_there = area_of(t, at);
        dot += own[0] * area_there[0] + own[1] * area_there[1] + own[2] * area_there[2];
      }
      const double difference = (field[cell + step] - field[cell - step]) +
                                (field[before() + step] - field[before() - step]);
      sum += 0.0625 * dot * difference;
    }
    return sum * inverse();
  }
};

/// Viscosities with which k and omega diffuse through a face.
std::array<double, num_turbulent> diffusivities(const PieceFlow& flow, const double* blend,
                                                const Face& face) {
  const double* const eddy = flow.field(eddy_field);
  const double mean_eddy = 0.5 * (eddy[face.before()] + eddy[face.cell]);
  const double mean_blend = 0.5 * (blend[face.before()] + blend[face.cell]);
  return {flow.gas.viscosity + sst::sigma_k.blended(mean_blend) * mean_eddy,
          flow.gas.viscosity + sst::sigma_omega.blended(mean_blend) * mean_eddy};
}

/// Calls visit(cell) for those whose low face bounds a cell without ghosts.
template <typename Visit>
void for_each_face(const Extent& extent, int axis, Visit&& visit) {
  Index3 end = extent.counts();
  ++end[static_cast<std::size_t>(axis)];
  Extent::for_each_in({0, 0, 0}, end, [&](const Index3& c) { visit(extent.at(c)); });
}

} // namespace

Links::Links(const Extent& extent) {
  for (int axis = 0; axis < (extent.is_flat() ? 2 : 3); ++axis) {
    Axis& of_axis = axes[static_cast<std::size_t>(axis)];
    of_axis.mass.resize(extent.stored());
    for (auto& of_value : of_axis.conductance) {
      of_value.resize(extent.stored());
    }
  }
}

void set_links(const PieceFlow& flow, std::span<const double> values, Links& links) {
  const Extent& extent = flow.block.extent;
  const double* const blend = values.data() + num_turbulent * extent.stored();
  for (int axis = 0; axis < flow.num_axes(); ++axis) {
    Links::Axis& of_axis = links.axes[static_cast<std::size_t>(axis)];
    for_each_face(extent, axis, [&](std::size_t cell) {
      const Face face{flow.block, axis, cell};
      const Vector area = face.area();
      const double factor =
          (area[0] * area[0] + area[1] * area[1] + area[2] * area[2]) * face.inverse();
      const auto diffusivity = diffusivities(flow, blend, face);
      of_axis.mass[cell] = mass_flux(flow, axis, cell);
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        of_axis.conductance[v][cell] = diffusivity[v] * factor;
      }
    });
  }
}

void set_transport(const PieceFlow& flow, std::span<const double> values, const Links& links,
                   std::span<double> rates, std::span<double> diagonals) {
  const Extent& extent = flow.block.extent;
  const std::size_t stored = extent.stored();
  const double* const blend = values.data() + num_turbulent * stored;
  std::fill(rates.begin(), rates.end(), 0.0);
  std::fill(diagonals.begin(), diagonals.end(), 0.0);
  for (int axis = 0; axis < flow.num_axes(); ++axis) {
    const auto stride = static_cast<std::size_t>(extent.stride(axis));
    for_each_face(extent, axis, [&](std::size_t cell) { // ghosts get something that nobody reads
      const Face face{flow.block, axis, cell};
      const auto diffusivity = diffusivities(flow, blend, face);
      const std::size_t before = cell - stride;
      for (std::size_t v = 0; v < num_turbulent; ++v) {
        const double* const value = values.data() + v * stored;
        const double up = links.from_before(axis, v, cell);
        const double down = links.from_behind(axis, v, cell);
        const double slanted = diffusivity[v] * face.slanted(value);
        const double difference = value[before] - value[cell];
        rates[v * stored + cell] += up * difference - slanted;
        rates[v * stored + before] += slanted - down * difference;
        diagonals[v * stored + cell] += up;
        diagonals[v * stored + before] += down;
      }
    });
  }
}

void add_walls(const Extent& extent, const BoundarySide& side, const Links& links,
               std::span<double> diagonals) {
  const int axis = side.side.axis;
  side.for_each_face(extent, [&](const Index3& c) {
    const std::size_t face = extent.at(c);
    const std::size_t cell =
        side.side.end == 0 ? face : face - static_cast<std::size_t>(extent.stride(axis));
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      diagonals[v * extent.stored() + cell] +=
          links.axes[static_cast<std::size_t>(axis)].conductance[v][face];
    }
  });
}

} // namespace isthmus::flow
