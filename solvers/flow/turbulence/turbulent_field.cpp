// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/turbulent_field.hpp"

#include "flow/numerics/between_grids.hpp"
#include "flow/turbulence/wall_distance.hpp"

#include <algorithm>
#include <array>

namespace isthmus::flow {

namespace {

constexpr std::size_t num_fields = num_turbulent + 1;
constexpr std::array<std::size_t, 2> transported{0, 1};
constexpr std::array<std::size_t, 1> blend{2};
constexpr double least_between = 0.1; // of the nearest value that is left between cells

/// The cells that a ghost behind a side has to do with.
struct Reflection {
  std::size_t before; // mirrored at a wall, else next to the border
  std::size_t inner;  // next to the border, of this or another piece
  std::size_t face;   // cell whose low face is on the border
};

/// `distances` are 0 where no piece has a cell.
Reflection reflection(const Extent& extent, const BoundarySide& side, const Index3& ghost,
                      std::span<const double> distances) {
  const auto a = static_cast<std::size_t>(side.side.axis);
  const int last = extent.count(side.side.axis) - 1;
  const bool is_low = side.side.end == 0;
  const int layer = is_low ? -1 - ghost[a] : ghost[a] - last - 1;
  const int depth = is_wall(side.kind) ? std::min(layer, last) : 0;
  Index3 before = ghost;
  Index3 face = ghost;
  before[a] = is_low ? depth : last - depth;
  face[a] = is_low ? 0 : last + 1;
  Index3 inner = ghost;
  inner[a] = is_low ? 0 : last;
  if (distances[extent.at(inner)] == 0) { // a corner of the grid
    for (std::size_t c = 0; c < 3; ++c) {
      inner[c] = std::clamp(ghost[c], 0, extent.count(static_cast<int>(c)) - 1);
    }
  }
  return {extent.at(before), extent.at(inner), extent.at(face)};
}

/// Collective. wall_distances(), and those of ghosts that other pieces have.
std::vector<std::vector<double>> distances_with_ghosts(const comm::Comm& comm, const Grid& grid) {
  std::vector<std::vector<double>> distances = wall_distances(comm, grid);
  std::vector<double> all;
  for (const std::vector<double>& of_piece : distances) {
    all.insert(all.end(), of_piece.begin(), of_piece.end());
  }
  constexpr std::array<std::size_t, 1> alone{0};
  GhostExchange(comm, grid.blocks, grid.ghosts, 1, alone).fill(all);
  const double* next = all.data();
  for (std::vector<double>& of_piece : distances) {
    std::copy_n(next, of_piece.size(), of_piece.begin());
    next += of_piece.size();
  }
  return distances;
}

} // namespace

TurbulentField::TurbulentField(const comm::Comm& comm, const Grid& grid,
                               const TurbulentStream& stream)
    : grid_(grid),
      stream_(stream),
      distances_(distances_with_ghosts(comm, grid)),
      begins_(grid.blocks.offsets(num_fields)),
      values_(begins_.back(), 0.0),
      exchange_(comm, grid.blocks, grid.ghosts, num_fields, transported),
      blends_(comm, grid.blocks, grid.ghosts, num_fields, blend) {
  set_undisturbed();
}

void TurbulentField::set_undisturbed() {
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const std::span<double> of_piece = values(own);
    const std::size_t stored = grid_.own[own].extent.stored();
    std::fill_n(of_piece.begin(), stored, stream_.k);
    std::fill_n(of_piece.begin() + static_cast<std::ptrdiff_t>(stored), stored, stream_.omega);
  }
}

void TurbulentField::interpolate(const TurbulentField& coarse) {
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Extent& from = coarse.grid_.own[own].extent;
    const Extent& to = grid_.own[own].extent;
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      const double* const old = coarse.values(own).data() + v * from.stored();
      double* const now = values(own).data() + v * to.stored();
      to.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) { // ghosts stay numbers
        std::fill_n(now + first, to.count(0), 0.0);
      });
      add_between(from, to, old, now);
      Extent::for_each_in({0, 0, 0}, to.counts(), [&](const Index3& c) {
        const double nearest = old[from.at(c[0] / 2, c[1] / 2, from.is_flat() ? 0 : c[2] / 2)];
        now[to.at(c)] = std::max(now[to.at(c)], least_between * nearest);
      });
    }
  }
}

std::span<double> TurbulentField::values(std::size_t own) {
  return std::span(values_).subspan(begins_[own], begins_[own + 1] - begins_[own]);
}

std::span<const double> TurbulentField::values(std::size_t own) const {
  return std::span(values_).subspan(begins_[own], begins_[own + 1] - begins_[own]);
}

sst::Point TurbulentField::point(const PieceFlow& flow, std::size_t own, std::size_t cell) const {
  const double* const k = values(own).data();
  const double* const omega = k + flow.block.extent.stored();
  const Vector dk = gradient(flow.block, k, cell);
  const Vector domega = gradient(flow.block, omega, cell);
  return {flow.field(0)[cell],
          flow.gas.viscosity,
          k[cell],
          omega[cell],
          vorticity(flow, cell),
          distances_[own][cell],
          dk[0] * domega[0] + dk[1] * domega[1] + dk[2] * domega[2]};
}

void TurbulentField::complete(const Solution& solution) {
  exchange_.fill(values_);
  for (const BoundarySide& side : grid_.sides) {
    fill_boundary(piece_flow(solution, side.own), side);
  }
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const PieceFlow flow = piece_flow(solution, own);
    const Extent& extent = flow.block.extent;
    double* const blends = values(own).data() + blend[0] * extent.stored();
    Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
      const std::size_t cell = extent.at(c);
      blends[cell] = sst::inner_blend(point(flow, own, cell));
    });
  }
  blends_.fill(values_);
  for (const BoundarySide& side : grid_.sides) {
    const Extent& extent = grid_.own[side.own].extent;
    double* const blends = values(side.own).data() + blend[0] * extent.stored();
    side.for_each_ghost([&](const Index3& ghost) {
      blends[extent.at(ghost)] =
          blends[reflection(extent, side, ghost, distances_[side.own]).inner];
    });
  }
}

void TurbulentField::fill_boundary(const PieceFlow& flow, const BoundarySide& side) {
  const Extent& extent = flow.block.extent;
  double* const k = values(side.own).data();
  double* const omega = k + extent.stored();
  const double outwards = side.side.end == 0 ? -1 : 1;
  side.for_each_ghost([&](const Index3& ghost) {
    const Reflection mirror = reflection(extent, side, ghost, distances_[side.own]);
    const std::size_t to = extent.at(ghost);
    if (side.kind == BoundaryKind::no_slip) {
      const double at_wall = sst::wall_omega(flow.field(0)[mirror.inner], flow.gas.viscosity,
                                             distances_[side.own][mirror.inner]);
      k[to] = -k[mirror.before];
      omega[to] = 2 * at_wall - omega[mirror.before];
    } else if (side.kind == BoundaryKind::slip ||
               outwards * mass_flux(flow, side.side.axis, mirror.face) >= 0) {
      k[to] = k[mirror.before];
      omega[to] = omega[mirror.before];
    } else {
      k[to] = stream_.k;
      omega[to] = stream_.omega;
    }
  });
}

} // namespace isthmus::flow
