// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/mesh_calls.hpp"

#include "isthmus/participant/session/noted_call.hpp"

namespace isthmus {

int MeshCalls::mesh_dimensions(std::string_view mesh) const {
  return noted(session_, [&](auto& s) { return s.data().mesh_dimensions(mesh); });
}
bool MeshCalls::requires_mesh_connectivity_for(std::string_view mesh) const {
  return noted(session_, [&](auto& s) { return s.provided().requires_connectivity(mesh); });
}
VertexId MeshCalls::set_mesh_vertex(std::string_view mesh, std::span<const double> position) {
  return noted(session_, [&](auto& s) { return s.provided().set_vertex(mesh, position); });
}
void MeshCalls::set_mesh_vertices(std::string_view mesh, std::span<const double> positions,
                                  std::span<VertexId> ids) {
  noted(session_, [&](auto& s) { s.provided().set_vertices(mesh, positions, ids); });
}
int MeshCalls::mesh_vertex_size(std::string_view mesh) const {
  return noted(session_, [&](auto& s) { return s.data().num_vertices(mesh); });
}
void MeshCalls::set_mesh_edges(std::string_view mesh, std::span<const VertexId> pairs) {
  noted(session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_edges, mesh, pairs, &mesh::Mesh::add_edges);
  });
}
void MeshCalls::set_mesh_triangles(std::string_view mesh, std::span<const VertexId> triples) {
  noted(session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_triangles, mesh, triples, &mesh::Mesh::add_triangles);
  });
}
void MeshCalls::set_mesh_quads(std::string_view mesh, std::span<const VertexId> quadruples) {
  noted(session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_quads, mesh, quadruples, &mesh::Mesh::add_quads);
  });
}
void MeshCalls::set_mesh_tetrahedra(std::string_view mesh, std::span<const VertexId> quadruples) {
  noted(session_, [&](auto& s) {
    s.provided().set_elements(Call::set_mesh_tetrahedra, mesh, quadruples,
                              &mesh::Mesh::add_tetrahedra);
  });
}
void MeshCalls::reset_mesh(std::string_view mesh) {
  noted(session_, [&](auto& s) { s.provided().reset(mesh); });
}
void MeshCalls::set_mesh_access_region(std::string_view mesh,
                                       std::span<const double> bounding_box) {
  noted(session_, [&](auto& s) { s.accessed().set_region(mesh, bounding_box); });
}
void MeshCalls::mesh_vertex_ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                                std::span<double> positions) const {
  noted(session_, [&](auto& s) { s.accessed().ids_and_coordinates(mesh, ids, positions); });
}

} // namespace isthmus
