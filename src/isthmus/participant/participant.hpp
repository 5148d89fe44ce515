// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

namespace participant {
class Session;
}

using VertexId = int;

/// How a process takes part, beyond what the configuration says.
struct Launch {
  int rank = 0;
  int size = 1;
  /// Pointer to the MPI_Comm of this participant's ranks. Null: MPI_COMM_WORLD if MPI is
  /// initialized or size > 1, else the participant is serial and never touches MPI.
  const void* communicator = nullptr;
  /// Pointer to an MPI_Comm that holds all ranks of all participants (one MPI job split by ranks).
  /// Null: found out where possible, sockets and shared memory otherwise.
  const void* joint_communicator = nullptr;
};

/// What one rank has done so far.
struct Statistics {
  std::uint64_t messages_sent = 0;
  std::uint64_t bytes_sent = 0; ///< payload
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_received = 0;
  double wait_seconds = 0;               ///< in which nothing moved
  std::map<std::string, int> partners;   ///< linked ranks by participant
  std::map<std::string, int> transports; ///< links by kind: shm, tcp, mpi
  std::vector<Span> spans;               ///< phases, if ISTHMUS_TRACE=1 was set at construction
};

/// One participant of a coupled run, as one of its ranks sees it. All errors are isthmus::Error.
///
/// Order of calls: construct, define meshes, write initial data if required, initialize(), then
/// while is_coupling_ongoing(): read, solve, write, advance(dt); finalize(). Coordinates and vector
/// values are interleaved: x0 y0 z0 x1 …; vertex ids are those that set_mesh_vertices returned.
class Participant {
 public:
  /// Collective over the ranks of the participant.
  Participant(std::string_view name, std::string_view configuration_file, const Launch& launch);
  ~Participant(); ///< Collective unless finalized. Ends the coupling for all partners.
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  // Steering: collective
  void initialize();
  void advance(double dt);
  void finalize();
  /// Local. Ends the coupling: all partners stop with `reason`. Only destruction may follow. For
  /// solvers that fail without an exception that passes the participant's destructor.
  void give_up(std::string_view reason);

  // Restart, beside what ISTHMUS_RESTART_EVERY and ISTHMUS_RESTART ask for
  /// Collective. Writes a restart file, to be called directly after an advance() that completed a
  /// time window; by all participants.
  void save_restart();
  [[nodiscard]] int restarted_window() const;  ///< completed in an earlier run; 0 in a new one
  [[nodiscard]] double restarted_time() const; ///< its end, known after initialize()

  // Status
  [[nodiscard]] int mesh_dimensions(std::string_view mesh) const;
  [[nodiscard]] int data_dimensions(std::string_view mesh, std::string_view data) const;
  [[nodiscard]] bool is_coupling_ongoing() const;
  [[nodiscard]] bool is_time_window_complete() const;
  [[nodiscard]] double max_time_step_size() const; ///< units of the configuration's times
  [[nodiscard]] bool requires_initial_data();
  [[nodiscard]] bool requires_writing_checkpoint();
  [[nodiscard]] bool requires_reading_checkpoint();

  // Meshes: local; ids refer to this rank
  [[nodiscard]] bool requires_mesh_connectivity_for(std::string_view mesh) const;
  VertexId set_mesh_vertex(std::string_view mesh, std::span<const double> position);
  void set_mesh_vertices(std::string_view mesh, std::span<const double> positions,
                         std::span<VertexId> ids);
  [[nodiscard]] int mesh_vertex_size(std::string_view mesh) const;
  void set_mesh_edges(std::string_view mesh, std::span<const VertexId> pairs);
  void set_mesh_triangles(std::string_view mesh, std::span<const VertexId> triples);
  void set_mesh_quads(std::string_view mesh, std::span<const VertexId> quadruples);
  void set_mesh_tetrahedra(std::string_view mesh, std::span<const VertexId> quadruples);
  /// Empties a provided mesh, to be defined anew before the next advance(), which must end the time
  /// window; directly after an advance() that completed one. All ranks of the participant must call
  /// it, also those whose part stays the same.
  void reset_mesh(std::string_view mesh);

  // Data: local
  void write_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                  std::span<const double> values);
  void read_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                 double relative_time, std::span<double> values) const;
  [[nodiscard]] bool requires_gradient_data_for(std::string_view mesh, std::string_view data) const;
  /// Of each vertex, of each component the derivatives along all axes.
  void write_gradient_data(std::string_view mesh, std::string_view data,
                           std::span<const VertexId> ids, std::span<const double> gradients);

  // Just-in-time mapping and direct access to received meshes
  void write_and_map_data(std::string_view mesh, std::string_view data,
                          std::span<const double> positions, std::span<const double> values);
  void map_and_read_data(std::string_view mesh, std::string_view data,
                         std::span<const double> positions, double relative_time,
                         std::span<double> values) const;
  void set_mesh_access_region(std::string_view mesh, std::span<const double> bounding_box) const;
  void mesh_vertex_ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                       std::span<double> positions) const;

  [[nodiscard]] Statistics statistics() const; ///< local

  // Sections of the user's own in the profile
  void start_profiling_section(std::string_view name);
  void stop_last_profiling_section();

 private:
  std::unique_ptr<participant::Session> session_;
};

/// Version, revision and features, separated by semicolons.
[[nodiscard]] std::string version_information();

} // namespace isthmus
