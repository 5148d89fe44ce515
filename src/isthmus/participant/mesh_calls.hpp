// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/vertex_id.hpp"

#include <span>
#include <string_view>

namespace isthmus {

namespace participant {
class Session;
}

/// What a participant says and asks about its meshes: those that it provides, and those that it
/// receives with direct access. Local; ids refer to this rank.
class MeshCalls {
 public:
  MeshCalls(const MeshCalls&) = delete;
  MeshCalls& operator=(const MeshCalls&) = delete;

  /// 2 or 3. Error: the participant has no such mesh.
  [[nodiscard]] int mesh_dimensions(std::string_view mesh) const;

  /// Whether somebody needs the edges, triangles or tetrahedra of a mesh; otherwise they are
  /// ignored. Error: a mesh that is neither provided nor received.
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

  /// The vertices on this rank of a provided mesh, of a received one those in the access region, or
  /// without access those that its mappings need. Error: no such mesh, a received one before
  /// initialize().
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

  /// The part of a received mesh that this rank is given. `bounding_box`: the least and the
  /// greatest coordinate of each axis: x0 x1 y0 y1 and in 3D z0 z1. Error: after initialize(), a
  /// second call for a mesh, another size, a mesh that is not received with api-access.
  void set_mesh_access_region(std::string_view mesh, std::span<const double> bounding_box);

  /// Fills what a received mesh has in the access region: `ids`, one per vertex, mesh_vertex_size()
  /// in all, and `positions`, the coordinates of one vertex after the other. Error: other sizes, a
  /// mesh that is not received with api-access, before initialize().
  void mesh_vertex_ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                       std::span<double> positions) const;

 protected:
  /// `session` must outlive the calls.
  explicit MeshCalls(participant::Session& session) : session_(session) {}
  ~MeshCalls() = default;

 private:
  participant::Session& session_;
};

} // namespace isthmus
