// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/multigrid.hpp"

#include "flow/numerics/between_grids.hpp"
#include "isthmus/base/clock.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace isthmus::flow {

namespace {

/// Of what a coarser level changes, that part is added: all of it makes some cycles unstable.
constexpr double relaxation = 0.7;

Physics of_first_order(Physics physics) {
  physics.flux.is_first_order = true;
  return physics;
}

/// Calls visit(cell of the coarse extent, positions of its fine cells, their number).
template <typename Visit>
void for_each_family(const Extent& coarse, const Extent& fine, Visit&& visit) {
  const int along_k = coarse.is_flat() ? 1 : 2;
  std::array<std::size_t, 8> children{};
  Extent::for_each_in({0, 0, 0}, coarse.counts(), [&](const Index3& cell) {
    std::size_t count = 0;
    for (int k = 0; k < along_k; ++k) {
      for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i) {
          children[count++] = fine.at(2 * cell[0] + i, 2 * cell[1] + j, along_k * cell[2] + k);
        }
      }
    }
    visit(coarse.at(cell), children, count);
  });
}

/// Sets the viscosity of turbulence in the cells of a coarser grid to the mean of its fine cells.
void restrict_eddies(const Solution& from, Solution& to) {
  for (std::size_t own = 0; own < from.grid().own.size(); ++own) {
    const Block& block = from.grid().own[own];
    const Extent& extent = to.grid().own[own].extent;
    for (int s = 0; s < from.num_snapshots(); ++s) {
      const double* const fine = from.primitive(own, s).data() + eddy_field * block.extent.stored();
      double* const coarse = to.primitive(own, s).data() + eddy_field * extent.stored();
      for_each_family(extent, block.extent, [&](std::size_t at, const auto& cells, std::size_t n) {
        double volume = 0;
        double sum = 0;
        for (std::size_t c = 0; c < n; ++c) {
          volume += block.volumes[cells[c]];
          sum += block.volumes[cells[c]] * fine[cells[c]];
        }
        coarse[at] = sum / volume;
      });
    }
  }
}

} // namespace

Multigrid::Level::Level(const comm::Comm& comm, const SchemeSettings& settings, const Grid& grid,
                        const Solution& fine, const TimeTerms& of_fine)
    : time(grid, of_fine.settings()),
      solution(comm, grid, of_first_order(fine.physics()), fine.mach(), fine.num_snapshots()),
      scheme(comm, settings, solution, time),
      exchange(conserved_exchange(comm, solution)) {}

Multigrid::Multigrid(const comm::Comm& comm, const SchemeSettings& settings,
                     std::span<const Grid> grids, Solution& fine, const TimeTerms& time)
    : cycle_(settings.cycle), fine_(fine), time_(time), scheme_(comm, settings, fine, time) {
  for (const Grid& grid : grids.subspan(1)) {
    levels_.push_back(std::make_unique<Level>(comm, settings, grid, fine, time));
  }
}

Norms Multigrid::iterate() {
  for (const auto& level : levels_) {
    level->solution.set_attitudes(fine_.attitudes());
    level->time.follow(time_, level->solution);
  }
  for (std::size_t n = 0; fine_.physics().gas.is_turbulent && n < levels_.size(); ++n) {
    restrict_eddies(solution(n), levels_[n]->solution);
  }
  const Norms norms = cycle(0);
  for (const auto& level : levels_) { // pieces of all levels are those of the fine grid
    for (std::size_t own = 0; own < fine_.busy().size(); ++own) {
      fine_.busy()[own] += level->solution.busy()[own];
      level->solution.busy()[own] = 0;
    }
  }
  return norms;
}

Norms Multigrid::cycle(std::size_t level) {
  const Norms norms = scheme(level).iterate();
  if (level < levels_.size()) {
    Level& coarse = *levels_[level];
    restrict_to(coarse, level);
    const bool is_last = level + 1 == levels_.size();
    for (int n = 0; n < (is_last ? 1 : cycle_); ++n) {
      cycle(level + 1);
    }
    correct_from(coarse, level);
  }
  return norms;
}

void Multigrid::restrict_to(Level& coarse, std::size_t fine) {
  const std::vector<double>& residual = scheme(fine).evaluate();
  Solution& from = solution(fine);
  std::vector<double>& values = coarse.solution.conserved();
  std::vector<double> sums(values.size(), 0.0); // of residuals
  for (std::size_t own = 0; own < from.grid().own.size(); ++own) {
    const BusyTime busy(from.busy()[own]);
    const Block& block = from.grid().own[own];
    const Extent& extent = coarse.solution.grid().own[own].extent;
    const std::size_t there = from.begin_of(own, 0);
    const std::size_t here = coarse.solution.begin_of(own, 0);
    for_each_family(extent, block.extent, [&](std::size_t at, const auto& cells, std::size_t n) {
      double volume = 0;
      for (std::size_t c = 0; c < n; ++c) {
        volume += block.volumes[cells[c]];
      }
      for (std::size_t field = 0; field < num_conserved_fields(from); ++field) {
        const std::size_t begin = there + field * block.extent.stored();
        double mean = 0;
        double sum = 0;
        for (std::size_t c = 0; c < n; ++c) {
          mean += block.volumes[cells[c]] * from.conserved()[begin + cells[c]];
          sum += residual[begin + cells[c]];
        }
        values[here + field * extent.stored() + at] = mean / volume;
        sums[here + field * extent.stored() + at] = sum;
      }
    });
  }
  coarse.start = values;
  coarse.scheme.force(std::move(sums));
}

void Multigrid::correct_from(Level& coarse, std::size_t fine) {
  const Solution& from = coarse.solution;
  std::vector<double> changes(from.conserved().size());
  std::transform(from.conserved().begin(), from.conserved().end(), coarse.start.begin(),
                 changes.begin(),
                 [](double now, double start) { return relaxation * (now - start); });
  coarse.exchange.fill(changes);
  extend_behind_boundaries(from, changes);
  Solution& to = solution(fine);
  for (std::size_t own = 0; own < to.grid().own.size(); ++own) {
    const BusyTime busy(to.busy()[own]);
    const Extent& of_fine = to.grid().own[own].extent;
    const Extent& of_coarse = from.grid().own[own].extent;
    for (std::size_t field = 0; field < num_conserved_fields(from); ++field) {
      add_between(of_coarse, of_fine,
                  changes.data() + from.begin_of(own, 0) + field * of_coarse.stored(),
                  to.conserved().data() + to.begin_of(own, 0) + field * of_fine.stored());
    }
  }
}

} // namespace isthmus::flow
