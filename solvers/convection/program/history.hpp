// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/program/equations.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Changes in a step, over the sizes at its end.
struct Change {
  double flow = 0;
  double heat = 0;
  double speed = 0;       // root mean square of all nodes at the end
  bool from_rest = false; // then that of the flow says nothing of the step

  [[nodiscard]] double most() const { return std::max(flow, heat); }
  /// What the length of a step decides.
  [[nodiscard]] double of_length() const { return from_rest ? heat : most(); }
};

/// The lines of a run, one per step, which rank 0 prints.
class History {
 public:
  /// Collective. All must outlive this; `lines` may be null. Prints the head.
  History(const comm::Comm& comm, const Case& from, Equations& equations, std::FILE* lines);

  /// Collective. What the step has changed.
  [[nodiscard]] Change change_of(const State& state) const;
  /// Local. The line of a step that is over, which took `seconds` here.
  void add(const State& state, const StepReport& report, const Change& change,
           std::span<const double> heat, double seconds) const;

 private:
  void print_head() const;
  /// Collective. The root of the sum of the squares over all nodes, without those of pressures.
  [[nodiscard]] double size(int width, std::span<const double> values,
                            std::span<const double> last = {}) const;

  const comm::Comm& comm_;
  const Case& from_;
  Equations& equations_;
  std::FILE* lines_; // on rank 0
  double num_nodes_; // of all ranks
};

} // namespace isthmus::convection
