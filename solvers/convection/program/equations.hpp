// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/steps.hpp"
#include "convection/program/case.hpp"
#include "convection/program/restart.hpp"

#include <span>
#include <vector>

namespace isthmus::convection {

/// What a case solves: its mesh, what holds on the boundary and in solids, and steps in time.
class Equations {
 public:
  /// Collective. Both must outlive this. Throws Error on all ranks: groups that are not there or
  /// without a condition, and what the mesh finds.
  Equations(const comm::Comm& comm, const Case& from);
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;

  /// Local. The state at the beginning.
  [[nodiscard]] State start();
  /// Collective. Sets what is held; of states that come from elsewhere, too.
  void hold(State& state);
  /// Local. Goes on with steps of second order, if the state has values before it.
  void resume(State& state);

  /// Local. Begins a step of this length.
  void begin(State& state, double step);
  /// Local. Begins the same step again, with another length.
  void repeat(State& state, double step);
  /// Collective. Moves the state to the end of the step that has begun; again, if need be.
  StepReport solve(State& state);
  /// Local. The step is over: what steps of second order go on from, and the time.
  void end(State& state) const;

  /// Collective. The heat that enters through each held node at the end of the step.
  [[nodiscard]] std::span<const double> flux(const State& state);
  /// Collective. The force of the flow on each held node, three per node.
  [[nodiscard]] std::span<const double> force(const State& state);
  /// Collective. The heat that enters through each condition; 0 where it is insulated.
  [[nodiscard]] std::vector<double> heat_of_conditions(const State& state);

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] bool has_level() const { return has_level_; } ///< of the pressure, by an opening
  [[nodiscard]] SumTime& exchange() { return exchange_; }
  [[nodiscard]] Steps& steps() { return steps_; }

 private:
  /// Collective. Which nodes touch fluid and which solid.
  void find_solid();
  [[nodiscard]] StepTerms terms() const;

  const comm::Comm& comm_;
  const Case& from_;
  Mesh mesh_;
  Edges edges_;
  SumTime exchange_;
  Flow flow_;
  Heat heat_;
  Steps steps_;
  bool has_level_ = false;
  std::vector<char> in_solid_; // of nodes: 1 where some element is solid, 2 where all are
  std::vector<double> on_nodes_;
};

} // namespace isthmus::convection
