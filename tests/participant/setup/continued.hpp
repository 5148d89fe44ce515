// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <string>
#include <vector>

/// Coupled runs that are interrupted and continued.
namespace couple {

/// A solver.
struct Partner {
  std::string name;
  std::vector<std::string> reads;
  std::string writes;
  int num_vertices = 6;
  double shift = 0;   // of the vertices
  int steps = 1;      // per window
  bool saves = false; // asks for a restart file itself, after every other window
};

/// A writes T and B writes F; what a <participant> has beside that, and the scheme.
struct Case {
  std::string kind = "parallel-explicit";
  std::string acceleration = ""; // element
  bool substeps = false;
  int windows = 6;
  std::string of_a = "";
  std::string mapping_of_a = "nearest-neighbor"; // of F
  std::string measures = ""; // elements, before that of F, which an implicit scheme has anyway
};

[[nodiscard]] std::string pair_xml(const Case& one);
/// Schemes and accelerations that a pair can have.
[[nodiscard]] std::vector<Case> all_cases();

/// Solvers with a state of their own in each vertex, which they take from `states` in a run that is
/// continued. Series NAME/WINDOW: by vertex, what it read and wrote in each step;
/// NAME/state/WINDOW.
[[nodiscard]] std::vector<Role> roles(const std::vector<Partner>& parts, const Table& states = {});

/// A run with a restart file every other window; one that continues it.
[[nodiscard]] Table run_saving(const std::string& xml, const std::vector<Partner>& parts,
                               const Deal& deal);
[[nodiscard]] Table run_from(const std::string& window, const std::string& xml,
                             const std::vector<Partner>& parts, const Table& whole,
                             const Deal& deal);

/// The series of windows from `first` on.
[[nodiscard]] Table later(const Table& table, int first);
[[nodiscard]] double largest_difference(const Table& a, const Table& b);

} // namespace couple
