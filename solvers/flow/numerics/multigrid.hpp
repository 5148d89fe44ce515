// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/scheme.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Pseudo steps on a grid and on coarser ones, which carry errors away by larger steps: the full
/// approximation scheme. A coarser grid gets the mean of the values and the sum of the residuals of
/// 2 x 2 x 2 cells, steps from there with first-order fluxes, and what it changes is interpolated
/// and added. Brandt (1977), doi:10.1090/S0025-5718-1977-0431719-X; Jameson (1983),
/// doi:10.1016/0096-3003(83)90019-X. The derivative in time is part of the residuals of all levels.
class Multigrid {
 public:
  /// Collective. `grids` as of make_grids(), of which `fine` has the first. They, `fine` and `time`
  /// must outlive it.
  Multigrid(const comm::Comm& comm, const SchemeSettings& settings, std::span<const Grid> grids,
            Solution& fine, const TimeTerms& time);

  /// Collective. One cycle; else as Scheme::iterate().
  Norms iterate();

 private:
  /// A coarser grid.
  struct Level {
    Level(const comm::Comm& comm, const SchemeSettings& settings, const Grid& grid,
          const Solution& fine, const TimeTerms& of_fine);

    TimeTerms time;
    Solution solution;
    Scheme scheme;
    GhostExchange exchange; // of changes
    std::vector<double> start;
  };

  /// Levels from the fine one, 0, on.
  [[nodiscard]] Solution& solution(std::size_t level) {
    return level == 0 ? fine_ : levels_[level - 1]->solution;
  }
  [[nodiscard]] Scheme& scheme(std::size_t level) {
    return level == 0 ? scheme_ : levels_[level - 1]->scheme;
  }
  Norms cycle(std::size_t level);
  void restrict_to(Level& coarse, std::size_t fine);
  void correct_from(Level& coarse, std::size_t fine);

  int cycle_;
  Solution& fine_;
  const TimeTerms& time_;
  Scheme scheme_;
  std::vector<std::unique_ptr<Level>> levels_;
};

} // namespace isthmus::flow
