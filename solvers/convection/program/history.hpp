// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/program/equations.hpp"

#include <cstdio>
#include <span>
#include <vector>

namespace isthmus::convection {

/// The lines of a run, one per step, which rank 0 prints.
class History {
 public:
  /// Collective. All must outlive this; `lines` may be null. Prints the head.
  History(const comm::Comm& comm, const Case& from, Equations& equations, std::FILE* lines);

  /// Collective. The line of a step that is over, which took `seconds` here; whether the flow is
  /// steady.
  bool add(const State& state, const StepReport& report, std::span<const double> heat,
           double seconds);

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
