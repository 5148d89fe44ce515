// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/multigrid.hpp"
#include "flow/program/run.hpp"
#include "flow/turbulence/turbulence.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::flow {

/// What a run says on its way: history.csv.
struct History {
  std::FILE* lines; // of rank 0; null: none
  std::string text{};

  void print(const comm::Comm& comm, const std::string& line);
};

/// A run under way: the parts, and what it prints.
class Course {
 public:
  /// Collective. `grids` as of make_grids(); they, `comm` and `from` must outlive it.
  Course(const comm::Comm& comm, const Case& from, std::span<const Grid> grids, std::FILE* lines);

  /// Collective, as all that follow. The head of the history; begin_from() has it already.
  void begin();
  /// Goes on from a file.
  void restart(const std::filesystem::path& path);
  /// Takes the flow of a run on the next coarser grid, or of one on this grid with fewer harmonics,
  /// and goes on with its history.
  void begin_from(Course& coarse);
  /// Iterates for a run that begins from this one.
  void warm_up() { converge(); }
  /// The whole run as a participant.
  RunResult coupled(Coupling& coupling);
  /// The whole run.
  RunResult all();
  /// The work of each block in an iteration, in seconds: the quickest of some, the same on all
  /// ranks. The flow is of no use afterwards.
  [[nodiscard]] std::vector<double> measure_work();

  void write_files(const GridSource& source);

 private:
  struct Eddies {
    Turbulence model;
    TurbulentNorms norms{};
  };
  [[nodiscard]] Turbulence* turbulence() { return eddies_ ? &eddies_->model : nullptr; }

  /// The present state is that before a step in time.
  void begin_step();

  /// Of the flow, then of turbulence in it.
  Norms iterate();

  /// A window of the coupling, which is a time step.
  void advance(Coupling& coupling);

  /// A time step.
  void advance();

  /// Pseudo steps until the residual is small; in time as a part of what it was first in the step.
  void converge();

  void list_work();

  /// How each snapshot stands in the flow; those of a period begin at time 0.
  void stand(double time);
  [[nodiscard]] Attitude attitude(double time) const;
  [[nodiscard]] double time_of(int snapshot, double time) const;

  [[nodiscard]] std::vector<LoadRow> loads() const;
  void add_loads();

  void report(const Norms& norms, int iteration);

  const comm::Comm& comm_;
  const Case& case_;
  TimeTerms time_;
  Solution solution_;
  Multigrid multigrid_;
  std::optional<Eddies> eddies_;
  Plots plots_;
  io::BlockMoment moment_;
  double first_residual_ = 1;     // of what a step converges to a part
  std::optional<Attitude> given_; // by a partner
  RunResult result_;
  History history_;
};

} // namespace isthmus::flow
