// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// Solves the Poisson equation with zero normal derivative on a box of equal cubic cells that is
/// cut into slabs across x: cosines along y and z, then a tridiagonal system along x for each pair
/// of them, which the slabs solve by themselves before they join by their end values (Polizzi,
/// Sameh, doi 10.1016/j.parco.2005.07.005).
class SlabPoisson {
 public:
  /// Collective. `cells_x` of this rank (at least 2), n x n cells across; edge length h.
  SlabPoisson(const comm::Comm& comm, int cells_x, int n, double h);

  /// Collective. Replaces the right-hand side, x slowest, whose sum over all cells is zero, by the
  /// solution that is zero on average in the first layer.
  void solve(std::span<double> values);

 private:
  void transform(std::span<double> values, bool back);
  void solve_lines(std::span<double> values) const;
  void join(std::span<double> values);

  const comm::Comm& comm_;
  std::size_t cells_;             // along x
  std::size_t n_;                 // across
  std::size_t modes_;             // n * n
  std::vector<double> cosines_;   // orthogonal, n x n
  std::vector<double> scratch_;   // one layer
  std::vector<double> lower_;     // of the elimination: cells x modes
  std::vector<double> pivots_;    // inverse
  std::vector<double> from_left_; // answer to a unit value in the layer before: cells x modes
  std::vector<double> from_right_;
  std::vector<double> ends_; // answers in the end layers of all ranks: ranks x 4 x modes
  double coupling_;          // 1 / h^2
};

} // namespace isthmus::discrete
