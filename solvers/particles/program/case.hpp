// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/sparse/delivery.hpp"
#include "particles/fluid/projection.hpp"
#include "particles/fluid/scheme.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace isthmus::mps {

/// A rectangle or box that is filled, with its sides parallel to the axes.
struct Box {
  Vector lower{}, upper{};
  std::string place; // in the case file, for errors
};

/// Of wall, which may move.
struct Obstacle : Box {
  Vector velocity{};
  Vector amplitude{}; // of a swing about its place
  double frequency = 0;
  bool is_coupled = false; // a partner says where it is
};

/// A part of a side of the tank through which fluid comes in.
struct Inflow : Box {
  std::size_t direction = 0; // across the side
  double sign = 1;           // of the way in
  double speed = 0;
};

/// What [coupling] says. Names are those of the configuration of the coupled run.
struct CouplingSettings {
  std::filesystem::path configuration; // empty: the run is none of a coupled one
  std::string participant = "Fluid";
  std::string walls = "Walls-Mesh"; // all particles of coupled obstacles
  std::string wet = "Wet-Mesh";     // those that fluid is near
  std::string force = "Force";
  std::string displacement = "Displacement";
  double depth = 1; // of a flow in two dimensions, across them

  [[nodiscard]] bool is_on() const { return !configuration.empty(); }
};

struct Water : Box {
  Vector velocity{};
  double vortex = 0;      // speed of a vortex of Taylor and Green that fills the box, in addition
  double disturbance = 0; // how far particles are off the lattice, in spacings
  bool is_round = false;  // an ellipse or ellipsoid that touches the sides of the box
};

/// The walls around what flows, seen from inside, and what is on them.
struct Tank : Box {
  std::array<std::array<bool, 2>, 3> is_open{}; // its sides: lower and upper of each direction
  bool deletes_outside = false; // the fluid that leaves through an open side; else it is an error
  bool has_planes = true;       // as sides; else walls of particles
  std::vector<Obstacle> obstacles{};
  std::vector<Inflow> inflows{};
  std::vector<Box> gauges{}; // of the pressure on walls

  /// The sides that are planes: neither open nor walls of particles, as those with an inflow are.
  [[nodiscard]] std::vector<Plane> planes(int dimensions) const;
};

/// How particles are moved, whichever way.
struct SchemeCase {
  bool is_explicit = false;
  double speed_of_sound = 0;       // explicit; 0: ten times that of a fall through the tank
  Projection::Settings projection; // semi-implicit
};

struct TimeCase {
  double end = 1;
  int most_steps = 0; // of a run; 0: as many as it takes
  double largest_step = 1e300;
  double courant = 0.2;
};

/// Who owns which particles, and how they learn of it.
struct DomainsCase {
  int every = 20;       // steps after which they are cut anew
  bool measures = true; // the time of ranks
  comm::Discovery discovery = comm::Discovery::remembered;
};

struct OutputCase {
  std::filesystem::path folder; // empty: nothing is written
  std::filesystem::path trace;  // of messages; empty: none
  double every = 0;             // seconds; 0: the end only
  double restart_every = 0;     // the same
};

/// What a case file says.
struct Case {
  int dimensions = 2;
  double spacing = 0.01;
  double radius = 3.1; // of the kernel, in spacings
  Liquid liquid;
  Tank tank;
  std::vector<Water> waters;
  SchemeCase scheme;
  TimeCase time;
  DomainsCase domains;
  CouplingSettings coupling;
  OutputCase output;
};

/// Local. Reads a case file. Throws Error naming file and line.
[[nodiscard]] Case read_case(const std::filesystem::path& path);

} // namespace isthmus::mps
