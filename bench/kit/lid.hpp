// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/la/matrix.hpp"

#include <span>
#include <vector>

/// The flow in a unit square whose lid moves with speed 1, on a staggered grid of n by n cells
/// dealt to the ranks in strips of rows: central differences, explicit steps, velocities made free
/// of divergence by a pressure (Chorin, doi 10.1090/S0025-5718-1968-0242392-2).
class LidDrivenCavity {
 public:
  LidDrivenCavity(const isthmus::comm::Comm& comm, int n, double reynolds);

  /// Of the system for the pressure: five points, closed borders, the level fixed in the first cell
  /// as OpenFOAM does, by doubling its diagonal entry.
  [[nodiscard]] isthmus::la::GlobalRows rows() const;
  /// Collective. That many steps; `matrix` is of rows(). Returns the right-hand side for the
  /// pressure in the step after them.
  [[nodiscard]] std::vector<double> advance(isthmus::la::Matrix& matrix, int steps);

  [[nodiscard]] double time_step() const { return dt_; }
  /// Collective. The least horizontal velocity on the vertical centre line.
  [[nodiscard]] double least_on_centre_line() const;

 private:
  [[nodiscard]] std::vector<double> predict();
  void correct(std::span<const double> pressure);

  /// Entry (i, j) of a field with one more row below and above; j is of this rank.
  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j + 1) * static_cast<std::size_t>(n_) +
           static_cast<std::size_t>(i);
  }
  [[nodiscard]] double u(int i, int j) const;
  [[nodiscard]] double v(int i, int j) const;
  [[nodiscard]] double change_of_u(int i, int j) const;
  [[nodiscard]] double change_of_v(int i, int j) const;
  void exchange(std::vector<double>& field);

  const isthmus::comm::Comm& comm_;
  int n_;
  int first_;  // row of this rank
  int height_; // rows of this rank
  double h_, viscosity_, dt_;
  isthmus::exchange::Halo halo_;
  std::vector<double> u_, v_; // on the right and the upper side of each cell
};
