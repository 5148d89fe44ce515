// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/preconditioning.hpp"
#include "flow/numerics/smoothing.hpp"
#include "flow/numerics/time_terms.hpp"

#include <array>
#include <vector>

namespace isthmus::flow {

struct SchemeSettings {
  double cfl = 3;
  double smoothing = 0.6; // 0: none
  int levels = 1;         // of multigrid
  int cycle = 1;          // how often a coarser level iterates within one iteration: 1 V, 2 W
};

/// Root mean squares over all cells and snapshots of the change per unit of pseudo time.
struct Norms {
  std::array<double, num_conserved> values{};
};

/// Runge-Kutta steps towards the state whose residual, with its derivative in time, is 0: five
/// stages with steps of each cell's own size (van Leer, Tai, Powell (1989),
/// doi:10.2514/6.1989-1933), the derivative treated implicitly in each cell (Melson, Sanetrik,
/// Atkins (1993), NASA CP-3224), that of snapshots as far as it is stiff (TimeTerms), also where
/// sound is slowed down (Preconditioner). Of kind global:
/// four stages with the given step.
class Scheme {
 public:
  /// The others must outlive it.
  Scheme(const comm::Comm& comm, const SchemeSettings& settings, Solution& solution,
         const TimeTerms& time);

  /// Collective. One step; returns the norms before it, the same bits on all ranks, however many.
  /// Throws Error on all ranks, naming block and cell, if the solution is no number any more.
  Norms iterate();

  /// Collective. The norms of the values as they are; residual() is theirs then.
  Norms measure();
  /// Collective. Sets residual() from the values as they are.
  const std::vector<double>& evaluate();
  /// Collective. Adds to all residuals from now on what makes those of the present values `wanted`,
  /// as residual(). Call iterate() before the values change: its first stage takes these residuals.
  void force(std::vector<double> wanted);
  /// What flows out of the cells, as Solution::conserved().
  [[nodiscard]] const std::vector<double>& residual() const { return residual_; }

 private:
  void set_residuals();
  void set_pseudo_steps();
  void set_roots(std::size_t own);
  void make_changes();
  void scale_residuals(double sign);
  void precondition();
  /// Of a cell, from the mean of its snapshots at the beginning of the step.
  [[nodiscard]] Preconditioner preconditioner(std::size_t own, std::size_t cell) const;
  void update(double coefficient);
  /// Of the row of a piece that begins with a cell.
  void update_row(double coefficient, std::size_t own, std::size_t first);
  void update_slowed(double coefficient);
  [[nodiscard]] Norms norms() const;
  void refuse_nonsense(const Norms& norms) const;
  /// Throws Error naming the first own cell of which is_good(own block, snapshot, cell) is false.
  template <typename IsGood>
  void refuse_cells(IsGood&& is_good) const;

  const comm::Comm& comm_;
  SchemeSettings settings_;
  Solution& solution_;
  const TimeTerms& time_;
  Smoother smoother_;
  std::vector<FluxRows> rows_; // of each own piece and snapshot
  std::vector<double> residual_;
  bool is_forced_anew_ = false;                   // residual_ is that of the values
  std::vector<double> forcing_;                   // added to residuals; empty: nothing
  std::vector<double> start_;                     // the values at the beginning of the step
  std::vector<std::vector<double>> pseudo_steps_; // per own block
  std::vector<std::vector<double>> roots_;        // of pseudo steps over volumes
};

} // namespace isthmus::flow
