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

class CallNames;

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
  /// What texts call the functions of the participant, and the interface that these are of, for a
  /// face that names them otherwise. Null: as here.
  const CallNames* call_names = nullptr;
};

/// What one rank has done so far.
struct Statistics {
  std::uint64_t messages_sent = 0;
  std::uint64_t bytes_sent = 0; ///< payload
  std::uint64_t messages_received = 0;
  std::uint64_t bytes_received = 0;
  double wait_seconds = 0;               ///< in which nothing moved
  std::uint64_t most_bytes_queued = 0;   ///< held at once for partners that did not take them
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
  /// Collective over the ranks of the participant. Error: no such file or participant, a
  /// configuration that is not valid, a rank that is not 0 to size - 1.
  Participant(std::string_view name, std::string_view configuration_file, const Launch& launch);

  /// Collective unless finalized. Ends the coupling for all partners.
  ~Participant();

  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  // Steering: collective

  /// Collective. Connects to all partners, exchanges and maps the meshes, sends initial data.
  /// Error: required initial data are missing, a partner does not come within ISTHMUS_TIMEOUT
  /// seconds or fails, a second call.
  void initialize();

  /// Collective. After each step of the solver: maps and sends what it wrote and receives what
  /// comes next. `dt`: the time it advanced, in the unit of the configuration's times, above 0 and
  /// at most max_time_step_size(). Error: another `dt`, a checkpoint that was not asked for, a
  /// coupling that has ended, a partner that failed.
  void advance(double dt);

  /// Collective. Ends the participation when the partners have all that was sent to them. Error: a
  /// second call, a partner that failed.
  void finalize();

  /// Local. Ends the coupling: all partners stop with `reason`. Only destruction may follow. For
  /// solvers that fail without an exception that passes the participant's destructor.
  void give_up(std::string_view reason);

  // Restart, beside what ISTHMUS_RESTART_EVERY and ISTHMUS_RESTART ask for

  /// Collective. Writes a restart file; to be called by all participants. Error: not directly after
  /// an advance() that completed a time window.
  void save_restart();

  /// The time windows that were completed in an earlier run which this one continues; 0 in a new
  /// one.
  [[nodiscard]] int restarted_window() const;

  /// The time at which this run continues, in the unit of the configuration's times; known after
  /// initialize().
  [[nodiscard]] double restarted_time() const;

  // Status

  /// 2 or 3. Error: the participant has no such mesh.
  [[nodiscard]] int mesh_dimensions(std::string_view mesh) const;

  /// Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
  /// participant has no such mesh, or the mesh no such data.
  [[nodiscard]] int data_dimensions(std::string_view mesh, std::string_view data) const;

  /// Whether there is a step to compute. Error: before initialize().
  [[nodiscard]] bool is_coupling_ongoing() const;

  /// Whether the last advance() ended a time window that is not repeated. Error: before
  /// initialize().
  [[nodiscard]] bool is_time_window_complete() const;

  /// The time to the end of the window, in the unit of the configuration's times: what the next
  /// step may have at most. 0 after the end. Error: before initialize().
  [[nodiscard]] double max_time_step_size() const;

  /// Whether data must be written before initialize(), which refuses to start where this was not
  /// asked. Error: after initialize().
  [[nodiscard]] bool requires_initial_data();

  /// Whether the solver must save its state now; to be asked after initialize() and each advance().
  /// Error: before initialize().
  [[nodiscard]] bool requires_writing_checkpoint();

  /// Whether the window is repeated, so that the solver must return to the state it saved; to be
  /// asked after each advance(). Error: before initialize().
  [[nodiscard]] bool requires_reading_checkpoint();

  // Meshes: local; ids refer to this rank

  /// Whether somebody needs the edges, triangles or tetrahedra of a provided mesh; otherwise they
  /// are ignored. Error: a mesh that is not provided.
  [[nodiscard]] bool requires_mesh_connectivity_for(std::string_view mesh) const;

  /// The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error:
  /// another number, a coordinate that is not finite, a mesh that is not provided, or locked by
  /// initialize().
  VertexId set_mesh_vertex(std::string_view mesh, std::span<const double> position);

  /// New vertices. `positions`: the coordinates of one vertex after the other; `ids`: filled, one
  /// per vertex. Error: sizes that do not fit, a coordinate that is not finite, a mesh that is not
  /// provided, or locked by initialize().
  void set_mesh_vertices(std::string_view mesh, std::span<const double> positions,
                         std::span<VertexId> ids);

  /// The vertices on this rank of a provided mesh, or of a received one in the access region.
  /// Error: no such mesh, a received one without access or before initialize().
  [[nodiscard]] int mesh_vertex_size(std::string_view mesh) const;

  /// `pairs`: 2 ids per edge. Error: ids that are not of this rank, the same twice in an edge, a
  /// mesh that is not provided, or locked by initialize().
  void set_mesh_edges(std::string_view mesh, std::span<const VertexId> pairs);

  /// `triples`: 3 ids per triangle. Error: ids that are not of this rank, the same twice in a
  /// triangle, a mesh that is not provided, or locked by initialize().
  void set_mesh_triangles(std::string_view mesh, std::span<const VertexId> triples);

  /// `quadruples`: 4 ids per convex quad, in the order around it. Error: ids that are not of this
  /// rank, the same twice in a quad, another shape, a mesh that is not provided, or locked by
  /// initialize().
  void set_mesh_quads(std::string_view mesh, std::span<const VertexId> quadruples);

  /// `quadruples`: 4 ids per tetrahedron. Error: ids that are not of this rank, the same twice in a
  /// tetrahedron, a mesh of 2 dimensions, a mesh that is not provided, or locked by initialize().
  void set_mesh_tetrahedra(std::string_view mesh, std::span<const VertexId> quadruples);

  /// Empties a provided mesh, to be defined anew before the next advance(), which must end the time
  /// window. All ranks call it, also those whose part stays the same. Error: a window that is not
  /// complete, a configuration without allow-remeshing.
  void reset_mesh(std::string_view mesh);

  // Data: local

  /// `values`: one per id for scalar data, the components of one vertex after the other for vector
  /// data. Zero is sent where nothing is written. Error: sizes that do not fit, an id that is not
  /// of this rank, a value that is not finite, data that this participant does not write, a
  /// coupling that has ended.
  void write_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                  std::span<const double> values);

  /// Fills `values`, one per id for scalar data, the components of one vertex after the other for
  /// vector data, with those at `relative_time` after the current time, in the unit of the
  /// configuration's times, 0 to max_time_step_size(). Error: another time, sizes that do not fit,
  /// an id that is not of this rank, data that this participant does not read, before initialize().
  void read_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                 double relative_time, std::span<double> values) const;

  /// Whether a mapping needs the gradients of these data. Error: no such mesh or data.
  [[nodiscard]] bool requires_gradient_data_for(std::string_view mesh, std::string_view data) const;

  /// `gradients`: per id, of one component after the other, the derivative along each axis. Ignored
  /// where they are not required. Error: sizes that do not fit, an id that is not of this rank, a
  /// value that is not finite, data that this participant does not write.
  void write_gradient_data(std::string_view mesh, std::string_view data,
                           std::span<const VertexId> ids, std::span<const double> gradients);

  // Just-in-time mapping and direct access to received meshes

  /// Just-in-time mapping to a received mesh. `positions`: the coordinates of one position after
  /// the other; `values`: one per position for scalar data, the components of one position after
  /// the other for vector data. Error: sizes that do not fit, a position outside of the access
  /// region, no such mapping, a value that is not finite.
  void write_and_map_data(std::string_view mesh, std::string_view data,
                          std::span<const double> positions, std::span<const double> values);

  /// Just-in-time mapping from a received mesh. `positions`: the coordinates of one position after
  /// the other; fills `values`, one per position for scalar data, the components of one position
  /// after the other for vector data, with those at `relative_time` after the current time, in the
  /// unit of the configuration's times, 0 to max_time_step_size(). Error: another time, sizes that
  /// do not fit, a position outside of the access region, no such mapping.
  void map_and_read_data(std::string_view mesh, std::string_view data,
                         std::span<const double> positions, double relative_time,
                         std::span<double> values) const;

  /// The part of a received mesh that this rank is given. `bounding_box`: the least and the
  /// greatest coordinate of each axis: x0 x1 y0 y1 and in 3D z0 z1. Error: after initialize(), a
  /// second call for a mesh, another size, a mesh that is not received with api-access.
  void set_mesh_access_region(std::string_view mesh, std::span<const double> bounding_box);

  /// Fills what a received mesh has in the access region: `ids`, one per vertex, mesh_vertex_size()
  /// in all, and `positions`, the coordinates of one vertex after the other. Error: other sizes, a
  /// mesh that is not received with api-access, before initialize().
  void mesh_vertex_ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                       std::span<double> positions) const;

  /// Local. Messages, bytes and waiting time of this rank so far.
  [[nodiscard]] Statistics statistics() const;

  // Sections of the user's own in the profile

  /// Opens a section of the profile, inside of those that are open. Error: a name with a slash.
  void start_profiling_section(std::string_view name);

  /// Closes the section that was opened last. Error: none is open.
  void stop_last_profiling_section();

 private:
  std::unique_ptr<participant::Session> session_;
};

/// Of this library, such as "0.1.0".
[[nodiscard]] std::string version();

} // namespace isthmus
