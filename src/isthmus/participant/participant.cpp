// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/participant.hpp"

#include "isthmus/participant/session.hpp"

namespace isthmus {

Participant::Participant(std::string_view name, std::string_view configuration_file,
                         const Launch& launch)
    : session_(std::make_unique<participant::Session>(name, configuration_file, launch)) {}

Participant::~Participant() = default;

void Participant::initialize() {
  session_->initialize();
}
void Participant::advance(double dt) {
  session_->advance(dt);
}
void Participant::finalize() {
  session_->finalize();
}

int Participant::mesh_dimensions(std::string_view mesh) const {
  return session_->mesh_dimensions(mesh);
}
int Participant::data_dimensions(std::string_view mesh, std::string_view data) const {
  return session_->data_dimensions(mesh, data);
}
bool Participant::is_coupling_ongoing() const {
  return session_->is_coupling_ongoing();
}
bool Participant::is_time_window_complete() const {
  return session_->is_time_window_complete();
}
double Participant::max_time_step_size() const {
  return session_->max_time_step_size();
}
bool Participant::requires_initial_data() {
  return session_->requires_initial_data();
}
bool Participant::requires_writing_checkpoint() {
  return session_->requires_checkpoint("requiresWritingCheckpoint()");
}
bool Participant::requires_reading_checkpoint() {
  return session_->requires_checkpoint("requiresReadingCheckpoint()");
}

bool Participant::requires_mesh_connectivity_for(std::string_view mesh) const {
  return session_->requires_connectivity(mesh);
}
VertexId Participant::set_mesh_vertex(std::string_view mesh, std::span<const double> position) {
  return session_->set_vertex(mesh, position);
}
void Participant::set_mesh_vertices(std::string_view mesh, std::span<const double> positions,
                                    std::span<VertexId> ids) {
  session_->set_vertices(mesh, positions, ids);
}
int Participant::mesh_vertex_size(std::string_view mesh) const {
  return session_->mesh_vertex_size(mesh);
}
void Participant::set_mesh_edges(std::string_view mesh, std::span<const VertexId> pairs) {
  session_->set_elements("setMeshEdges()", mesh, pairs, &mesh::Mesh::add_edges);
}
void Participant::set_mesh_triangles(std::string_view mesh, std::span<const VertexId> triples) {
  session_->set_elements("setMeshTriangles()", mesh, triples, &mesh::Mesh::add_triangles);
}
void Participant::set_mesh_quads(std::string_view mesh, std::span<const VertexId> quadruples) {
  session_->set_elements("setMeshQuads()", mesh, quadruples, &mesh::Mesh::add_quads);
}
void Participant::set_mesh_tetrahedra(std::string_view mesh, std::span<const VertexId> quadruples) {
  session_->set_elements("setMeshTetrahedra()", mesh, quadruples, &mesh::Mesh::add_tetrahedra);
}
void Participant::reset_mesh(std::string_view /*mesh*/) {
  session_->not_supported("resetMesh()");
}

void Participant::write_data(std::string_view mesh, std::string_view data,
                             std::span<const VertexId> ids, std::span<const double> values) {
  session_->write(mesh, data, ids, values);
}
void Participant::read_data(std::string_view mesh, std::string_view data,
                            std::span<const VertexId> ids, double relative_time,
                            std::span<double> values) const {
  session_->read(mesh, data, ids, relative_time, values);
}
bool Participant::requires_gradient_data_for(std::string_view mesh, std::string_view data) const {
  return session_->requires_gradient(mesh, data);
}
void Participant::write_gradient_data(std::string_view /*mesh*/, std::string_view /*data*/,
                                      std::span<const VertexId> /*ids*/,
                                      std::span<const double> /*gradients*/) {
  session_->not_supported("writeGradientData()");
}

void Participant::write_and_map_data(std::string_view /*mesh*/, std::string_view /*data*/,
                                     std::span<const double> /*positions*/,
                                     std::span<const double> /*values*/) {
  session_->not_supported("writeAndMapData()");
}
void Participant::map_and_read_data(std::string_view /*mesh*/, std::string_view /*data*/,
                                    std::span<const double> /*positions*/, double /*relative_time*/,
                                    std::span<double> /*values*/) const {
  session_->not_supported("mapAndReadData()");
}
void Participant::set_mesh_access_region(std::string_view /*mesh*/,
                                         std::span<const double> /*bounding_box*/) const {
  session_->not_supported("setMeshAccessRegion()");
}
void Participant::mesh_vertex_ids_and_coordinates(std::string_view /*mesh*/,
                                                  std::span<VertexId> /*ids*/,
                                                  std::span<double> /*positions*/) const {
  session_->not_supported("getMeshVertexIDsAndCoordinates()");
}

Statistics Participant::statistics() const {
  return session_->statistics();
}

void Participant::start_profiling_section(std::string_view name) {
  session_->start_section(name);
}
void Participant::stop_last_profiling_section() {
  session_->stop_section();
}

std::string version_information() {
  return "3.4.1;no-info [Isthmus 0.1.0];MPI=ON;;";
}

} // namespace isthmus
