// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace isthmus::convection {

/// What one rank has read of a mesh file. Nodes are named as the file does; their positions count
/// them in its order.
struct MeshShare {
  struct Node {
    GlobalIndex name, position;
  };
  struct Place {
    GlobalIndex position;
    std::array<double, 3> at;
  };
  struct Tet {
    std::array<GlobalIndex, 4> nodes; // names
    GlobalIndex line;                 // of the file
  };
  struct Face { // of the boundary
    std::array<GlobalIndex, 3> nodes;
    GlobalIndex line;
    int group;
  };

  std::string file;
  GlobalIndex num_nodes = 0; // of all ranks
  std::vector<Node> nodes;
  std::vector<Place> places;
  std::vector<Tet> tets; // those of the ranks one after the other are those of the file
  std::vector<Face> faces;
  std::map<int, std::string> names; // of groups; the same on all ranks
};

/// Collective. Deals tetrahedra so that few nodes are shared (partition::divide), and brings each
/// rank what it needs of the nodes and groups: none holds the whole mesh but for METIS, to which
/// rank 0 gives the graph of the tetrahedra. The mesh is the same however many ranks have read it.
/// Throws Error on all ranks, naming the file: a node that is not there, twice, or in no
/// tetrahedron; a tetrahedron that is flat or turned inside out; none.
[[nodiscard]] Mesh deal(const comm::Comm& comm, MeshShare share);

} // namespace isthmus::convection
