// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/time_terms.hpp"
#include "flow/turbulence/implicit_lines.hpp"
#include "flow/turbulence/snapshot_coupling.hpp"

#include <array>
#include <vector>

namespace isthmus::flow {

/// Root mean squares over all cells of the rates of k and omega in pseudo time.
using TurbulentNorms = std::array<double, num_turbulent>;

/// k and omega of the SST model (sst.hpp) beside the flow, whose eddy viscosity they are: after
/// each iteration of the flow an implicit pseudo step of their own. Convection is upwind of first
/// order, as in the codes that NASA's Turbulence Modeling Resource shows; sources are implicit as
/// far as they let values decay. Steady, with dual steps in time, or in snapshots of a period. Of
/// these the roots have harmonics: few harmonics of the values themselves, which differ much in a
/// period, may have to pass below 0, those of their logarithms far beyond the largest. The
/// derivative of roots squared leaves the mean over the period as it is. It is solved for after the
/// transport.
class Turbulence {
 public:
  /// Collective. The others must outlive it; the solution has a turbulent gas.
  /// `cfl` of the flow. Throws Error on all ranks if the grid has no no-slip wall.
  Turbulence(const comm::Comm& comm, const TurbulentStream& stream, double cfl, Solution& solution,
             const TimeTerms& time);

  /// Collective. One pseudo step with the flow as it is; returns the norms before it, the same bits
  /// on all ranks, however many. Throws Error on all ranks, naming block and cell, if k or omega is
  /// no number any more.
  TurbulentNorms iterate();
  /// Collective. Sets the eddy viscosity from values that have changed otherwise.
  void refresh();
  /// Collective. k and omega become those of the next coarser grid between its cells; refresh()
  /// comes after.
  void interpolate(Turbulence& coarse);
  /// Local. k and omega become those which harmonics of fewer snapshots have, on the same grid;
  /// refresh() comes after.
  void add_harmonics(const Turbulence& few) { field_.add_harmonics(few.field_); }
  /// Local. A time step of kind dual begins: the present values are those before it.
  void begin_step();

  /// Whether k and omega of an own piece are in all snapshots.
  [[nodiscard]] bool is_positive(std::size_t own) const;

  [[nodiscard]] TurbulentField& field() { return field_; }
  [[nodiscard]] const TurbulentField& field() const { return field_; }
  /// The values before the present step, as field().all(), for restart; empty before the first one.
  [[nodiscard]] std::vector<double>& before() { return before_; }
  [[nodiscard]] const std::vector<double>& before() const { return before_; }

 private:
  /// A pseudo step of a snapshot.
  struct Step {
    std::vector<Links> links; // per own piece
    std::vector<double> rates;
    std::vector<double> diagonals;
  };

  /// Calls visit(cell) for those of an own piece.
  template <typename Visit>
  void for_each_cell(std::size_t own, Visit&& visit) const;
  void set_rates();
  void set_rates(std::size_t own, int snapshot);
  void add_sources(const PieceFlow& flow, std::size_t own);
  void add_time(const PieceFlow& flow, std::size_t own);
  void add_derivatives(std::size_t own);
  void change_together(std::size_t own);
  void refuse_nonsense() const;
  void change();
  void set_eddies();
  [[nodiscard]] TurbulentNorms norms() const;

  const comm::Comm& comm_;
  double cfl_;
  Solution& solution_;
  const TimeTerms& time_;
  TurbulentField field_;
  ImplicitLines lines_;
  SnapshotCoupling coupling_;
  std::array<double, num_turbulent> least_; // of values
  std::vector<std::size_t> begins_;         // of rates and diagonals, per own piece
  std::vector<Step> steps_;                 // per snapshot
  std::vector<double> before_;
  std::vector<double> earlier_;
};

} // namespace isthmus::flow
