// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/program/rigid_motion.hpp"
#include "isthmus/participant/participant.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace isthmus::flow {

/// What [coupling] of a case file says. Names are those of the configuration of the coupled run.
struct CouplingSettings {
  std::filesystem::path configuration; // empty: the run is none of a coupled one
  std::string participant = "Fluid";
  std::string mesh = "Fluid-Mesh";
  std::string force = "Force";               // written; empty: nothing is
  std::string displacement = "Displacement"; // read; empty: the body stays where it is
  std::size_t boundary = 0;                  // which one of the case, a wall
  double density = 1;                        // of the free stream, in the units of the partner
  double speed = 0;                          // of the free stream, in the units of the partner
  double length = 1;                         // which the grid calls 1, in the units of the partner

  [[nodiscard]] bool is_on() const { return !configuration.empty(); }
};

/// The run as a participant: the forces on the faces of a boundary go out, how far these have moved
/// comes in, and moves the whole grid as a rigid body. One time step per window.
class Coupling {
 public:
  /// Collective. Connects to the partners. `grid` and `comm` must outlive it, `mach` is that of the
  /// free stream. Throws Error on all ranks: what Participant finds, a boundary without faces, a
  /// mesh of 2 dimensions for a grid that is not flat.
  Coupling(const comm::Comm& comm, const CouplingSettings& settings, const Grid& grid, double mach);

  [[nodiscard]] bool is_ongoing() const { return participant_.is_coupling_ongoing(); }
  /// The size of a window, in the unit of the solver.
  [[nodiscard]] double step() const { return step_; }

  /// Collective. A window begins, for the first time. Throws Error if it is of another size than
  /// the first one.
  void begin_window();
  /// Collective. Where the body is at the end of the window.
  [[nodiscard]] const Track& read();
  /// Collective. Writes the forces of a complete solution and ends the window; returns whether it
  /// is to be repeated, beginning with read().
  [[nodiscard]] bool advance(const Solution& solution);
  /// Local. The partners stop with the reason.
  void give_up(const std::string& reason) { participant_.give_up(reason); }

 private:
  void add_points();
  void set_vertices();
  void read_place(double relative_time);
  [[nodiscard]] double time_unit() const { return settings_.length * mach_ / settings_.speed; }

  const comm::Comm& comm_;
  CouplingSettings settings_;
  const Grid& grid_;
  double mach_;
  MPI_Comm ranks_;
  Participant participant_;
  std::size_t dimensions_;
  std::vector<Vector> points_; // the centres of faces
  std::vector<VertexId> ids_;
  double step_ = 0;
  Track track_;
};

} // namespace isthmus::flow
