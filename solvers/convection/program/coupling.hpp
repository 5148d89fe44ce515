// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"
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
  std::string heat = "Heat";               // written: what enters through each node of the group
  std::string temperature = "Temperature"; // read, at the nodes
  std::string group;

  [[nodiscard]] bool is_on() const { return !configuration.empty(); }
};

/// The run as a participant: the temperature of a group of the boundary comes in, the heat that
/// enters there goes out. One time step per window.
class Coupling {
 public:
  /// Collective. Connects to the partners; vertices are the nodes of the group, each at the rank
  /// that owns it. `comm` and `mesh` must outlive it. Throws Error on all ranks: what Participant
  /// finds, and a window that is not as long as `step`.
  Coupling(const comm::Comm& comm, const CouplingSettings& settings, const Mesh& mesh, double step);

  [[nodiscard]] bool is_ongoing() const { return participant_.is_coupling_ongoing(); }
  /// Collective. Sets the temperature of the nodes of the group to that at the end of the window.
  void read(std::span<double> temperature);
  /// Collective. Writes the heat that enters through the nodes and ends the window; whether it is
  /// to be repeated, beginning with read().
  [[nodiscard]] bool advance(std::span<const double> heat);
  /// Local. The partners stop with the reason.
  void give_up(const std::string& reason) { participant_.give_up(reason); }

 private:
  void check_step() const;

  const comm::Comm& comm_;
  CouplingSettings settings_;
  double step_;
  std::vector<LocalIndex> nodes_; // of the group, that this rank touches
  std::vector<LocalIndex> owned_; // of these
  exchange::InterfaceSum sum_;
  MPI_Comm ranks_;
  Participant participant_;
  std::size_t dimensions_;
  std::vector<VertexId> ids_; // of owned nodes
};

} // namespace isthmus::convection
