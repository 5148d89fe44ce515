// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"
#include "convection/program/restart.hpp"
#include "isthmus/exchange/interface_sum.hpp"
#include "isthmus/participant/participant.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace isthmus::convection {

/// What [coupling] of a case file says. Names are those of the configuration of the coupled run.
struct CouplingSettings {
  std::filesystem::path configuration; // empty: the run is none of a coupled one
  std::string participant = "Fluid";
  std::string mesh = "Fluid-Mesh";
  bool is_of_motion = false;    // displacements and forces are exchanged, not temperatures and heat
  std::string written = "Heat"; // of each node of the group: what enters there, or the force
  std::string read = "Temperature"; // at the nodes, or their displacement since the beginning
  std::string group;

  [[nodiscard]] bool is_on() const { return !configuration.empty(); }
};

/// The run as a participant: the temperature of a group of the boundary comes in, the heat that
/// enters there goes out; or its displacement and the force of the flow on it. A group that is
/// displaced moves the flow with its velocity, and its nodes stay where they are: displacements are
/// small beside the elements, or along the group. One time step per window.
class Coupling {
 public:
  /// Collective. Connects to the partners; vertices are the nodes of the group, each at the rank
  /// that owns it. `comm` and `mesh` must outlive it. Throws Error on all ranks: what Participant
  /// finds, and a window that is not as long as `step`.
  Coupling(const comm::Comm& comm, const CouplingSettings& settings, const Mesh& mesh, double step);

  [[nodiscard]] bool is_ongoing() const { return participant_.is_coupling_ongoing(); }
  /// Collective. Sets the temperature, or the velocity, of the nodes of the group to that at the
  /// end of the window.
  void read(State& state);
  /// Collective. Writes what each node has, the heat that enters or three components of the force,
  /// and ends the window; whether it is to be repeated, beginning with read().
  [[nodiscard]] bool advance(std::span<const double> of_nodes);
  /// Local. The partners stop with the reason.
  void give_up(const std::string& reason) { participant_.give_up(reason); }

 private:
  [[nodiscard]] std::size_t width() const { return settings_.is_of_motion ? 3 : 1; }
  void check_step() const;

  const comm::Comm& comm_;
  CouplingSettings settings_;
  double step_;
  std::vector<LocalIndex> nodes_; // of the group, that this rank touches
  std::vector<LocalIndex> owned_; // of these
  exchange::InterfaceSum sum_;
  MPI_Comm ranks_;
  Participant participant_;
  std::vector<VertexId> ids_;   // of owned nodes
  std::vector<double> read_;    // at all nodes of this rank; zero outside of the group
  std::vector<double> earlier_; // the same at the begin of the window
};

} // namespace isthmus::convection
