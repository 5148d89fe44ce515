// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/participant/participant.hpp"
#include "particles/fluid/neighbours.hpp"
#include "particles/program/tank/lattice.hpp"

#include <string>
#include <vector>

namespace isthmus::mps {

/// The run as a participant: what the pressure does to obstacles that a partner moves goes out, how
/// far they are off their places comes in. One step per window. Forces act on those particles of
/// the walls that fluid is near: another mesh in each window. Both meshes have the places of the
/// lattice, so a partner finds them where its body is before it yields.
class Coupling {
 public:
  /// Collective. Connects to the partners. `comm` and `from` must outlive it. Throws Error on all
  /// ranks: what Participant finds, a case without coupled obstacles.
  Coupling(const comm::Comm& comm, const Case& from, State& state, const Neighbours& neighbours);

  [[nodiscard]] bool is_ongoing() const { return participant_.is_coupling_ongoing(); }
  /// Collective. A window begins, with these particles. Returns its size.
  double begin_window(State& state, const Neighbours& neighbours);
  /// Collective. Reads where walls are at the end of the window.
  void read();
  /// Local. How far a particle of a coupled obstacle is off its place.
  [[nodiscard]] Vector displacement(GlobalIndex id) const;
  /// Collective. Writes the forces and ends the window; returns whether it is to be repeated.
  [[nodiscard]] bool advance(State& state, const Neighbours& neighbours);
  /// Local. The partners stop with the reason.
  void give_up(const std::string& reason) { participant_.give_up(reason); }

 private:
  void set_wet_vertices(State& state, const Neighbours& neighbours);
  [[nodiscard]] std::vector<double> coordinates_of(std::span<const GlobalIndex> ids) const;
  [[nodiscard]] bool is_coupled(GlobalIndex id) const;

  const comm::Comm& comm_;
  const Case& from_;
  Lattice lattice_;
  MPI_Comm ranks_;
  Participant participant_;
  std::size_t dimensions_;
  std::vector<GlobalIndex> ids_;     // of all particles of coupled obstacles, ascending
  std::vector<VertexId> vertices_;   // of these, on rank 0
  std::vector<double> displacement_; // of these
  std::vector<std::size_t> wet_;     // rows of the particles on which forces act
  std::vector<VertexId> wet_vertices_;
  bool is_first_ = true; // window
};

} // namespace isthmus::mps
