// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/between_grids.hpp"

#include "flow/numerics/time_terms.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace isthmus::flow {

std::size_t num_conserved_fields(const Solution& solution) {
  return num_conserved * static_cast<std::size_t>(solution.num_snapshots());
}

GhostExchange conserved_exchange(const comm::Comm& comm, const Solution& solution) {
  std::vector<std::size_t> all(num_conserved_fields(solution));
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Grid& grid = solution.grid();
  return {comm, grid.blocks, grid.ghosts, all.size(), all};
}

void extend_behind_boundaries(const Solution& solution, std::vector<double>& values) {
  for (const BoundarySide& side : solution.grid().sides) {
    const Extent& extent = solution.grid().own[side.own].extent;
    const auto axis = static_cast<std::size_t>(side.side.axis);
    const int edge = side.side.end == 0 ? 0 : extent.count(side.side.axis) - 1;
    side.for_each_ghost([&](const Index3& ghost) {
      Index3 before = ghost;
      before[axis] = edge;
      for (std::size_t field = 0; field < num_conserved_fields(solution); ++field) {
        double* const of_field =
            values.data() + solution.begin_of(side.own, 0) + field * extent.stored();
        of_field[extent.at(ghost)] = of_field[extent.at(before)];
      }
    });
  }
}

void add_between(const Extent& coarse, const Extent& fine, const double* changes, double* values) {
  const std::size_t num_axes = coarse.is_flat() ? 2 : 3;
  Extent::for_each_in({0, 0, 0}, fine.counts(), [&](const Index3& cell) {
    Index3 near = cell;
    std::array<std::ptrdiff_t, 3> step{};
    for (std::size_t a = 0; a < num_axes; ++a) {
      near[a] = cell[a] / 2;
      step[a] = (cell[a] % 2 == 0 ? -1 : 1) * coarse.stride(static_cast<int>(a));
    }
    const double* const at = changes + coarse.at(near);
    const auto plane = [&](const double* from) { // between rows
      const auto row = [&](const double* of) { return 0.75 * of[0] + 0.25 * of[step[0]]; };
      return 0.75 * row(from) + 0.25 * row(from + step[1]);
    };
    values[fine.at(cell)] +=
        num_axes == 2 ? plane(at) : 0.75 * plane(at) + 0.25 * plane(at + step[2]);
  });
}

void interpolate(const comm::Comm& comm, const Solution& coarse, Solution& fine) {
  std::vector<double> values = coarse.conserved();
  conserved_exchange(comm, coarse).fill(values);
  extend_behind_boundaries(coarse, values);
  for (std::size_t own = 0; own < fine.grid().own.size(); ++own) {
    const Extent& from = coarse.grid().own[own].extent;
    const Extent& to = fine.grid().own[own].extent;
    for (std::size_t field = 0; field < num_conserved_fields(fine); ++field) {
      double* const of_field =
          fine.conserved().data() + fine.begin_of(own, 0) + field * to.stored();
      to.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) { // ghosts stay numbers
        std::fill_n(of_field + first, to.count(0), 0.0);
      });
      add_between(from, to, values.data() + coarse.begin_of(own, 0) + field * from.stored(),
                  of_field);
    }
  }
}

void add_harmonics(const Solution& few, Solution& many) {
  const auto from = static_cast<std::size_t>(few.num_snapshots());
  const std::vector<double> matrix = spectral_values(few.num_snapshots(), many.num_snapshots());
  for (std::size_t own = 0; own < many.grid().own.size(); ++own) {
    const std::size_t size = num_conserved * many.grid().own[own].extent.stored();
    for (int s = 0; s < many.num_snapshots(); ++s) {
      double* const to = many.conserved().data() + many.begin_of(own, s);
      std::fill_n(to, size, 0.0);
      for (std::size_t f = 0; f < from; ++f) {
        const double factor = matrix[static_cast<std::size_t>(s) * from + f];
        const double* const values =
            few.conserved().data() + few.begin_of(own, static_cast<int>(f));
        for (std::size_t at = 0; at < size; ++at) {
          to[at] += factor * values[at];
        }
      }
    }
  }
}

} // namespace isthmus::flow
