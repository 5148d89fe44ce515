// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/participant.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/participant/session/session.hpp"

#include <mpi.h>

namespace isthmus {

namespace {

/// Makes a call of the solver. Whatever goes wrong is an Error, which is kept for the partners, in
/// case that it ends the solver.
template <typename Call>
decltype(auto) noted(participant::Session& session, Call&& call) {
  try {
    return std::forward<Call>(call)(session);
  } catch (const Error& error) {
    session.note_failure(error.what());
    throw;
  } catch (...) {
    const std::string reason = current_reason();
    session.note_failure(reason);
    throw Error(reason);
  }
}

/// Of a rank that fails before the ranks have met, where the others would wait for it: does not
/// return if there are any, but throws what they throw.
void fail_before_comm(const Launch& launch, const std::string& reason) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  const MPI_Comm parent = launch.communicator == nullptr
                              ? MPI_COMM_WORLD
                              : *static_cast<const MPI_Comm*>(launch.communicator);
  int size = 1;
  if (initialized != 0 && parent != MPI_COMM_NULL) {
    MPI_Comm_size(parent, &size);
  }
  if (size == 1) {
    return;
  }
  if (launch.joint_communicator == nullptr) {
    comm::agree_on(parent, reason);
  }
  comm::agree(*static_cast<const MPI_Comm*>(launch.joint_communicator),
              [&] { comm::agree_on(parent, reason); });
}

std::unique_ptr<participant::Session> make_session(std::string_view name,
                                                   std::string_view configuration_file,
                                                   const Launch& launch) {
  bool met = false;
  try {
    return std::make_unique<participant::Session>(name, configuration_file, launch, met);
  } catch (const Error&) {
    throw; // before the ranks meet: what is wrong with the communicator
  } catch (...) {
    const std::string reason = current_reason();
    if (!met) {
      fail_before_comm(launch, reason);
    }
    throw Error(reason);
  }
}

} // namespace

Participant::Participant(std::string_view name, std::string_view configuration_file,
                         const Launch& launch)
    : session_(make_session(name, configuration_file, launch)) {}

Participant::~Participant() = default;

void Participant::initialize() {
  noted(*session_, [&](auto& s) { s.initialize(); });
}
void Participant::advance(double dt) {
  noted(*session_, [&](auto& s) { s.advance(dt); });
}
void Participant::finalize() {
  noted(*session_, [&](auto& s) { s.finalize(); });
}
void Participant::give_up(std::string_view reason) {
  session_->leave(std::string(reason));
}

void Participant::save_restart() {
  noted(*session_, [&](auto& s) { s.save_restart(); });
}
int Participant::restarted_window() const {
  return noted(*session_, [&](auto& s) { return s.restarted_from().window; });
}
double Participant::restarted_time() const {
  return noted(*session_, [&](auto& s) { return s.restarted_from().time; });
}

int Participant::mesh_dimensions(std::string_view mesh) const {
  return noted(*session_, [&](auto& s) { return s.data().mesh_dimensions(mesh); });
}
int Participant::data_dimensions(std::string_view mesh, std::string_view data) const {
  return noted(*session_, [&](auto& s) { return s.data().dimensions(mesh, data); });
}
bool Participant::is_coupling_ongoing() const {
  return noted(*session_, [&](auto& s) { return s.is_coupling_ongoing(); });
}
bool Participant::is_time_window_complete() const {
  return noted(*session_, [&](auto& s) { return s.is_time_window_complete(); });
}
double Participant::max_time_step_size() const {
  return noted(*session_, [&](auto& s) { return s.max_time_step_size(); });
}
bool Participant::requires_initial_data() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_initial_data(); });
}
bool Participant::requires_writing_checkpoint() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_writing_checkpoint(); });
}
bool Participant::requires_reading_checkpoint() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_reading_checkpoint(); });
}

bool Participant::requires_mesh_connectivity_for(std::string_view mesh) const {
  return noted(*session_, [&](auto& s) { return s.provided().requires_connectivity(mesh); });
}
VertexId Participant::set_mesh_vertex(std::string_view mesh, std::span<const double> position) {
  return noted(*session_, [&](auto& s) { return s.provided().set_vertex(mesh, position); });
}
void Participant::set_mesh_vertices(std::string_view mesh, std::span<const double> positions,
                                    std::span<VertexId> ids) {
  noted(*session_, [&](auto& s) { s.provided().set_vertices(mesh, positions, ids); });
}
int Participant::mesh_vertex_size(std::string_view mesh) const {
  return noted(*session_, [&](auto& s) { return s.data().num_vertices(mesh); });
}
void Participant::set_mesh_edges(std::string_view mesh, std::span<const VertexId> pairs) {
  noted(*session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_edges, mesh, pairs, &mesh::Mesh::add_edges);
  });
}
void Participant::set_mesh_triangles(std::string_view mesh, std::span<const VertexId> triples) {
  noted(*session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_triangles, mesh, triples, &mesh::Mesh::add_triangles);
  });
}
void Participant::set_mesh_quads(std::string_view mesh, std::span<const VertexId> quadruples) {
  noted(*session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_quads, mesh, quadruples, &mesh::Mesh::add_quads);
  });
}
void Participant::set_mesh_tetrahedra(std::string_view mesh, std::span<const VertexId> quadruples) {
  noted(*session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_tetrahedra, mesh, quadruples,
                              &mesh::Mesh::add_tetrahedra);
  });
}
void Participant::reset_mesh(std::string_view mesh) {
  noted(*session_, [&](auto& s) { s.provided().reset(mesh); });
}

void Participant::write_data(std::string_view mesh, std::string_view data,
                             std::span<const VertexId> ids, std::span<const double> values) {
  noted(*session_, [&](auto& s) { s.data().write(mesh, data, ids, values); });
}
void Participant::read_data(std::string_view mesh, std::string_view data,
                            std::span<const VertexId> ids, double relative_time,
                            std::span<double> values) const {
  noted(*session_, [&](auto& s) { s.data().read(mesh, data, ids, relative_time, values); });
}
bool Participant::requires_gradient_data_for(std::string_view mesh, std::string_view data) const {
  return noted(*session_, [&](auto& s) { return s.data().requires_gradient(mesh, data); });
}
void Participant::write_gradient_data(std::string_view mesh, std::string_view data,
                                      std::span<const VertexId> ids,
                                      std::span<const double> gradients) {
  noted(*session_, [&](auto& s) { s.data().write_gradients(mesh, data, ids, gradients); });
}

void Participant::write_and_map_data(std::string_view mesh, std::string_view data,
                                     std::span<const double> positions,
                                     std::span<const double> values) {
  noted(*session_, [&](auto& s) { s.data().write_and_map(mesh, data, positions, values); });
}
void Participant::map_and_read_data(std::string_view mesh, std::string_view data,
                                    std::span<const double> positions, double relative_time,
                                    std::span<double> values) const {
  noted(*session_,
        [&](auto& s) { s.data().map_and_read(mesh, data, positions, relative_time, values); });
}
void Participant::set_mesh_access_region(std::string_view mesh,
                                         std::span<const double> bounding_box) {
  noted(*session_, [&](auto& s) { s.accessed().set_region(mesh, bounding_box); });
}
void Participant::mesh_vertex_ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                                  std::span<double> positions) const {
  noted(*session_, [&](auto& s) { s.accessed().ids_and_coordinates(mesh, ids, positions); });
}

Statistics Participant::statistics() const {
  return noted(*session_, [&](auto& s) { return s.statistics(); });
}

void Participant::start_profiling_section(std::string_view name) {
  noted(*session_, [&](auto& s) { s.profile().start_section(name); });
}
void Participant::stop_last_profiling_section() {
  noted(*session_, [&](auto& s) { s.profile().stop_section(); });
}

std::string version() {
  return connect::library_version();
}

} // namespace isthmus
