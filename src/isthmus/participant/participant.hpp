// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"
#include "isthmus/participant/data_calls.hpp"
#include "isthmus/participant/mesh_calls.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

class CallNames;

namespace participant {
class Session;
}

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
/// values are interleaved: x0 y0 z0 x1 …; vertex ids are those that set_mesh_vertices returned. Its
/// calls for meshes and data are those of MeshCalls and DataCalls.
class Participant : public MeshCalls, public DataCalls {
 public:
  /// Collective over the ranks of the participant. Error: no such file or participant, a
  /// configuration that is not valid, a rank that is not 0 to size - 1.
  Participant(std::string_view name, std::string_view configuration_file, const Launch& launch);

  /// Collective unless finalized. Ends the coupling for all partners; in a process that was forked
  /// off, it does nothing.
  ~Participant();

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

  /// Local. Messages, bytes and waiting time of this rank so far.
  [[nodiscard]] Statistics statistics() const;

  // Sections of the user's own in the profile

  /// Opens a section of the profile, inside of those that are open. Error: a name with a slash.
  void start_profiling_section(std::string_view name);

  /// Closes the section that was opened last. Error: none is open.
  void stop_last_profiling_section();

 private:
  explicit Participant(std::unique_ptr<participant::Session> session);

  std::unique_ptr<participant::Session> session_;
  int process_; // of the participant; what is forked off is none of it
};

/// Of this library, such as "0.1.0".
[[nodiscard]] std::string version();

/// What preCICE's interfaces say of the library, with the version of preCICE that they offer: the
/// features are named as preCICE names them, by what the library can do (the iterative radial
/// functions of PETSc's feature are its own).
[[nodiscard]] std::string version_information(std::string_view interface);

} // namespace isthmus
