// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace isthmus::transfer {

/// Part of a mesh that one partner gets: elements that touch its boxes, each once, with all their
/// vertices, and all vertices inside the boxes.
struct Selection {
  bool everything = false;            // then the lists are empty and mean the whole mesh
  std::vector<LocalIndex> vertices;   // ascending vertices of the mesh
  std::vector<LocalIndex> edges;      // pairs of positions in `vertices`
  std::vector<LocalIndex> triangles;  // triples of positions in `vertices`
  std::vector<LocalIndex> tetrahedra; // quadruples of positions in `vertices`

  friend bool operator==(const Selection&, const Selection&) = default;

  [[nodiscard]] LocalIndex num_vertices(const mesh::Mesh& mesh) const {
    return everything ? mesh.num_vertices() : static_cast<LocalIndex>(vertices.size());
  }
  /// The vertex of the mesh at a position of the selection.
  [[nodiscard]] LocalIndex vertex(LocalIndex position) const {
    return everything ? position : vertices[static_cast<std::size_t>(position)];
  }
};

/// Whether all vertices lie in some boxes.
[[nodiscard]] bool lie_in(const mesh::Mesh& mesh, std::span<const geometry::Box> boxes);

/// Boxes around the vertices of a mesh; with room they are larger by a bit, and none holds but a
/// few vertices, so that those that move a little stay inside.
[[nodiscard]] std::vector<geometry::Box> boxes_around(const mesh::Mesh& mesh, bool with_room);

[[nodiscard]] Selection select(const mesh::Mesh& mesh, std::span<const geometry::Box> boxes,
                               bool with_connectivity);

/// The selected vertices and their elements, of which there are none where connectivity was not
/// selected: in the mesh and in the selection, which must outlive the object.
struct SelectedArrays {
  SelectedArrays(const mesh::Mesh& mesh, const Selection& selection, bool with_connectivity);
  SelectedArrays(const SelectedArrays&) = delete; // the view may be of the coordinates
  SelectedArrays(SelectedArrays&&) = default;

  std::vector<double> coordinates; // where not everything is selected
  protocol::MeshView view;
};

/// Length of the longest edge of all elements; 0 without connectivity.
[[nodiscard]] double longest_element(const mesh::Mesh& mesh);

/// Vertices that came from one rank of the provider, in its order.
struct Part {
  int rank = 0;
  transport::LinkId link = -1;
  LocalIndex first = 0;
  LocalIndex count = 0;
  bool is_new = false; // other vertices than in the last plan
};

void mark(std::span<const LocalIndex> vertices, std::vector<char>& marks);
/// The vertices of a part that are marked, by transferred vertex, as positions in it.
[[nodiscard]] std::vector<LocalIndex> marked_positions(const Part& part,
                                                       std::span<const char> marks);

/// How many vertices came.
[[nodiscard]] std::size_t num_transferred(std::span<const Part> parts);

/// The rank of the provider that a transferred vertex came from.
[[nodiscard]] int provider_of(std::span<const Part> parts, LocalIndex vertex);

/// What arrived: one mesh, numbered by part.
struct TransferredMesh {
  mesh::Mesh mesh;
  std::vector<Part> parts;
};

/// Sends each partner its selection; large arrays go straight from the mesh.
void send_mesh(transport::Hub& hub, const mesh::Mesh& mesh, std::span<const Selection> selections,
               std::span<const transport::LinkId> links, double timeout);

/// Receives from all `parts` (rank and link are given) straight into the arrays of the new mesh.
[[nodiscard]] TransferredMesh receive_mesh_parts(transport::Hub& hub, const std::string& name,
                                                 int dimensions, std::vector<Part> parts,
                                                 double timeout);

/// Collective. The whole mesh goes through the first ranks, as in the one-level initialization.
void send_whole_mesh(const comm::Comm& comm, transport::Hub& hub, transport::LinkId to_first,
                     const mesh::Mesh& mesh);

/// Collective. Everybody gets the whole mesh; parts (not linked yet) by rank of the provider.
[[nodiscard]] TransferredMesh receive_whole_mesh(const comm::Comm& comm, transport::Hub& hub,
                                                 transport::LinkId to_first,
                                                 const std::string& name, int dimensions,
                                                 double timeout);

} // namespace isthmus::transfer
