// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/turbulent_field.hpp"

#include "flow/numerics/between_grids.hpp"
#include "flow/numerics/time_terms.hpp"
#include "flow/turbulence/wall_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace isthmus::flow {

namespace {

constexpr std::size_t num_fields = num_turbulent + 1;
constexpr std::array<std::size_t, 2> transported{0, 1};
constexpr std::array<std::size_t, 1> blend{2};
constexpr double least_between = 0.1; // of the nearest value that is left between cells

/// Numbers of these fields in all snapshots.
std::vector<std::size_t> in_all(int snapshots, std::span<const std::size_t> fields) {
  std::vector<std::size_t> all;
  for (std::size_t s = 0; s < static_cast<std::size_t>(snapshots); ++s) {
    for (const std::size_t field : fields) {
      all.push_back(s * num_fields + field);
    }
  }
  return all;
}

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
                               const TurbulentStream& stream, int snapshots)
    : grid_(grid),
      stream_(stream),
      snapshots_(snapshots),
      distances_(distances_with_ghosts(comm, grid)),
      begins_(grid.blocks.offsets(num_fields * static_cast<std::size_t>(snapshots))),
      values_(begins_.back(), 0.0),
      exchange_(comm, grid.blocks, grid.ghosts, num_fields * static_cast<std::size_t>(snapshots),
                in_all(snapshots, transported)),
      blends_(comm, grid.blocks, grid.ghosts, num_fields * static_cast<std::size_t>(snapshots),
              in_all(snapshots, blend)) {
  set_undisturbed();
}

std::size_t TurbulentField::size_of(std::size_t own) const {
  return num_fields * grid_.own[own].extent.stored();
}

void TurbulentField::set_undisturbed() {
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const std::size_t stored = grid_.own[own].extent.stored();
    for (int s = 0; s < snapshots_; ++s) {
      double* const k = values(own, s).data();
      std::fill_n(k, stored, stream_.k);
      std::fill_n(k + stored, stored, stream_.omega);
    }
  }
}

void TurbulentField::interpolate(const TurbulentField& coarse) {
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Extent& from = coarse.grid_.own[own].extent;
    const Extent& to = grid_.own[own].extent;
    for (std::size_t n = 0; n < num_turbulent * static_cast<std::size_t>(snapshots_); ++n) {
      const int s = static_cast<int>(n / num_turbulent);
      const double* const old = coarse.values(own, s).data() + n % num_turbulent * from.stored();
      double* const now = values(own, s).data() + n % num_turbulent * to.stored();
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

void TurbulentField::add_harmonics(const TurbulentField& few) {
  const auto from = static_cast<std::size_t>(few.snapshots_);
  const std::vector<double> matrix = spectral_values(few.snapshots_, snapshots_);
  std::vector<double> roots(from);
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Extent& extent = grid_.own[own].extent;
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
        const std::size_t at = v * extent.stored() + extent.at(c);
        for (std::size_t f = 0; f < from; ++f) {
          roots[f] = std::sqrt(few.values(own, static_cast<int>(f))[at]);
        }
        const double least = least_between * *std::min_element(roots.begin(), roots.end());
        for (int s = 0; s < snapshots_; ++s) {
          const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(from) * s;
          const double root =
              std::max(std::inner_product(roots.begin(), roots.end(), row, 0.0), least);
          values(own, s)[at] = root * root;
        }
      });
    }
  }
}

std::span<double> TurbulentField::values(std::size_t own, int snapshot) {
  return std::span(values_).subspan(begin_of(own, snapshot), size_of(own));
}

std::span<const double> TurbulentField::values(std::size_t own, int snapshot) const {
  return std::span(values_).subspan(begin_of(own, snapshot), size_of(own));
}

sst::Point TurbulentField::point(const PieceFlow& flow, std::size_t own, std::size_t cell) const {
  const double* const k = values(own, flow.snapshot).data();
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
    for (int s = 0; s < snapshots_; ++s) {
      fill_boundary(piece_flow(solution, side.own, s), side);
    }
  }
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Extent& extent = grid_.own[own].extent;
    for (int s = 0; s < snapshots_; ++s) {
      const PieceFlow flow = piece_flow(solution, own, s);
      double* const blends = values(own, s).data() + blend[0] * extent.stored();
      Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
        const std::size_t cell = extent.at(c);
        blends[cell] = sst::inner_blend(point(flow, own, cell));
      });
    }
  }
  blends_.fill(values_);
  for (const BoundarySide& side : grid_.sides) {
    const Extent& extent = grid_.own[side.own].extent;
    side.for_each_ghost([&](const Index3& ghost) {
      const std::size_t inner = reflection(extent, side, ghost, distances_[side.own]).inner;
      for (int s = 0; s < snapshots_; ++s) {
        double* const blends = values(side.own, s).data() + blend[0] * extent.stored();
        blends[extent.at(ghost)] = blends[inner];
      }
    });
  }
}

void TurbulentField::fill_boundary(const PieceFlow& flow, const BoundarySide& side) {
  const Extent& extent = flow.block.extent;
  double* const k = values(side.own, flow.snapshot).data();
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
