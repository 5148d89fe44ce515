// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/grid.hpp"
#include "flow/multiblock/shapes.hpp"
#include "flow/numerics/scheme.hpp"
#include "flow/program/coupling.hpp"
#include "flow/program/plots.hpp"
#include "flow/turbulence/turbulent_field.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace isthmus::flow {

/// A grid that pitches and plunges: the incidence is mean + amplitude * sin(frequency * time), the
/// pivot is plunge * sin(frequency * time + phase) aside, across the free stream.
struct Motion {
  double mean = 0;      // rad
  double amplitude = 0; // rad
  double frequency = 0; // rad per unit of time
  double plunge = 0;
  double phase = 0; // rad

  [[nodiscard]] bool is_at_rest() const { return amplitude == 0 && plunge == 0; }
  [[nodiscard]] Attitude at(double time) const;
};

struct RunSettings {
  int iterations = 5000; // pseudo steps at most: of a steady or harmonic flow, or of each time step
  double residual = 1e-8;           // of the density, at which pseudo steps end
  std::vector<int> warm_up;         // iterations on coarser grids before, from the coarsest on
  std::vector<int> fewer_harmonics; // iterations with 1, 2, … harmonics before
  int steps = 0;                    // in time
  int report = 10;                  // iterations between two lines
  bool measures = false;            // the work of blocks, in the first iterations
  std::filesystem::path output = "out";
  PlotSettings plots;
};

/// What a case file says.
struct Case {
  double mach = 0;
  Physics physics;
  TurbulentStream turbulence;      // if the gas is turbulent
  std::filesystem::path grid_file; // empty: the shape
  Shape shape;
  GridSettings grid;
  SchemeSettings scheme;
  bool is_preconditioned = false; // pseudo time with slow sound
  TimeSettings time;
  Motion motion;
  RunSettings run;
  CouplingSettings coupling;
};

/// Local. Reads a case file (TOML; docs/solvers/flow.md lists its words). Files it names are
/// relative to its folder, the output to the present one. Throws Error naming file and line: what
/// is no TOML, unknown or missing words, values of another kind or out of range.
[[nodiscard]] Case read_case(const std::filesystem::path& path);

/// Local. The grid that a case names.
[[nodiscard]] GridSource open_grid(const Case& from);

} // namespace isthmus::flow
