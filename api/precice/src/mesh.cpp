// SPDX-License-Identifier: BSD-3-Clause
#include "participant_impl.hpp"
#include "translate.hpp"

#include <precice/Participant.hpp>

#include <array>

namespace precice {

bool Participant::requiresMeshConnectivityFor(string_view meshName) const {
  return forward([&] { return _impl->requires_mesh_connectivity_for(name(meshName)); });
}

void Participant::resetMesh(string_view meshName) {
  forward([&] { _impl->reset_mesh(name(meshName)); });
}

VertexID Participant::setMeshVertex(string_view meshName, span<const double> position) {
  return forward([&] { return _impl->set_mesh_vertex(name(meshName), native(position)); });
}

int Participant::getMeshVertexSize(string_view meshName) const {
  return forward([&] { return _impl->mesh_vertex_size(name(meshName)); });
}

void Participant::setMeshVertices(string_view meshName, span<const double> coordinates,
                                  span<VertexID> ids) {
  forward([&] { _impl->set_mesh_vertices(name(meshName), native(coordinates), native(ids)); });
}

void Participant::setMeshEdge(string_view meshName, VertexID first, VertexID second) {
  setMeshEdges(meshName, std::array{first, second});
}

void Participant::setMeshEdges(string_view meshName, span<const VertexID> ids) {
  forward([&] { _impl->set_mesh_edges(name(meshName), native(ids)); });
}

void Participant::setMeshTriangle(string_view meshName, VertexID first, VertexID second,
                                  VertexID third) {
  setMeshTriangles(meshName, std::array{first, second, third});
}

void Participant::setMeshTriangles(string_view meshName, span<const VertexID> ids) {
  forward([&] { _impl->set_mesh_triangles(name(meshName), native(ids)); });
}

void Participant::setMeshQuad(string_view meshName, VertexID first, VertexID second, VertexID third,
                              VertexID fourth) {
  setMeshQuads(meshName, std::array{first, second, third, fourth});
}

void Participant::setMeshQuads(string_view meshName, span<const VertexID> ids) {
  forward([&] { _impl->set_mesh_quads(name(meshName), native(ids)); });
}

void Participant::setMeshTetrahedron(string_view meshName, VertexID first, VertexID second,
                                     VertexID third, VertexID fourth) {
  setMeshTetrahedra(meshName, std::array{first, second, third, fourth});
}

void Participant::setMeshTetrahedra(string_view meshName, span<const VertexID> ids) {
  forward([&] { _impl->set_mesh_tetrahedra(name(meshName), native(ids)); });
}

void Participant::setMeshAccessRegion(string_view meshName, span<const double> boundingBox) const {
  forward([&] { _impl->set_mesh_access_region(name(meshName), native(boundingBox)); });
}

void Participant::getMeshVertexIDsAndCoordinates(string_view meshName, span<VertexID> ids,
                                                 span<double> coordinates) const {
  forward([&] {
    _impl->mesh_vertex_ids_and_coordinates(name(meshName), native(ids), native(coordinates));
  });
}

} // namespace precice
