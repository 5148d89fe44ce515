// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/flow.hpp"
#include "convection/numerics/step_control.hpp"
#include "convection/program/coupling.hpp"
#include "isthmus/discrete/tetrahedra.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::convection {

/// What holds on a group of the boundary.
struct Condition {
  std::string group;
  std::array<bool, 3> holds{};            // which components of the velocity are given
  std::array<double, 3> velocity{};       // where they are
  std::optional<double> temperature = {}; // none: insulated
  bool is_open = false;                   // nothing holds the velocity: no traction
  std::string place;                      // in the case file, for errors
};

/// The flow begins at rest, with this temperature: of the origin, its slope, noise of this size,
/// the same on any ranks and another for each seed, and a cosine of this size and wave vector.
struct Start {
  double temperature = 0;
  std::array<double, 3> gradient{};
  double noise = 0;
  int seed = 0;
  double swell = 0;
  std::array<double, 3> wave{}; // radians per length
};

/// The mesh, and how ranks work on it.
struct MeshCase {
  std::filesystem::path file; // empty: the box
  discrete::TetBox box{{8, 8, 8}, {1, 1, 1}, 6};
  std::array<double, 3> narrowing{}; // of its cells at both ends of each axis (make_box)
  NodeOrder order = NodeOrder::given;
  exchange::SumStrategy sums = exchange::SumStrategy::automatic;
};

struct FluidCase {
  double viscosity = 1;
  double diffusivity = 1;
  std::array<double, 3> buoyancy{}; // force per temperature
};

/// What lies below a height, along z, conducts and does not flow.
struct SolidCase {
  double below = 0;
  Solid solid;
};

struct TimeCase {
  double step = 0.01; // of adaptive steps the first
  StepLimits adaptive;
  int steps = 100;
  double steady = 1e-5; // largest relative change of the velocity and temperature in a step
  int order = 1;        // of the differences in time
  int corrections = 1;  // solves of flow and heat in a step
};

struct SolverCase {
  Preparation preparation = Preparation::multigrid; // of the flow's linear systems
  NewtonSettings newton{1e-3, 1e-10, 20, 0.1};
  bool captures = false;        // discontinuities of the temperature
  double heat_tolerance = 1e-3; // of the linear systems of the temperature
  ProductOverlap overlap = ProductOverlap::always;
};

struct OutputCase {
  std::filesystem::path folder; // empty: nothing is written
  double every = 0;             // in units of time; 0: the end only
};

/// What a case file says, table by table.
struct Case {
  MeshCase mesh;
  FluidCase fluid;
  std::optional<SolidCase> solid;
  std::vector<Condition> conditions;
  Start start;
  TimeCase time;
  SolverCase solver;
  OutputCase output;
  CouplingSettings coupling;
};

/// Local. Reads a case file. Throws Error naming file and line.
[[nodiscard]] Case read_case(const std::filesystem::path& path);

} // namespace isthmus::convection
