// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/mesh.hpp"

#include "convection/mesh/gmsh.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/multilevel/divide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::convection {

namespace {

/// Six times the volume; negative if the tetrahedron is turned inside out.
double determinant(const WholeMesh& mesh, const std::array<GlobalIndex, 4>& tet) {
  std::array<std::array<double, 3>, 3> e{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      e[k][c] = mesh.coords[3 * static_cast<std::size_t>(tet[k + 1]) + c] -
                mesh.coords[3 * static_cast<std::size_t>(tet[0]) + c];
    }
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/// A rank without tetrahedra would have no say in what follows.
void finish(const comm::Comm& comm, Mesh& mesh) {
  comm::agree(comm, [&mesh] {
    check(!mesh.tets.tets.empty(), "this rank has no tetrahedra; take fewer ranks");
  });
  mesh.plan = exchange::make_interface_plan(comm, mesh.tets.node_ids);
}

/// The part of each tetrahedron: those that share a face stay together.
std::vector<int> parts_of(const WholeMesh& whole, int parts) {
  struct Face {
    std::array<GlobalIndex, 3> nodes;
    GlobalIndex tet;
  };
  std::vector<Face> faces;
  for (std::size_t t = 0; t < whole.tets.size(); ++t) {
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      Face face{{}, static_cast<GlobalIndex>(t)};
      for (std::size_t k = 0; k < 3; ++k) {
        face.nodes[k] = whole.tets[t][(left_out + 1 + k) % 4];
      }
      std::sort(face.nodes.begin(), face.nodes.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.nodes != b.nodes ? a.nodes < b.nodes : a.tet < b.tet;
  });
  std::vector<partition::Edge> edges;
  for (std::size_t f = 1; f < faces.size(); ++f) {
    if (faces[f].nodes == faces[f - 1].nodes) {
      edges.push_back({faces[f - 1].tet, faces[f].tet});
    }
  }
  return partition::divide(partition::make_graph(whole.tets.size(), edges), parts);
}

} // namespace

const Group& Mesh::group(std::string_view name) const {
  std::string names;
  for (const Group& group : groups) {
    if (group.name == name) {
      return group;
    }
    names += (names.empty() ? "" : ", ") + group.name;
  }
  fail("the mesh has no group \"{}\"; its groups are {}", name, names);
}

Mesh make_box(const comm::Comm& comm, const discrete::TetBox& box,
              const std::array<double, 3>& narrowing) {
  Mesh mesh;
  mesh.tets = discrete::make_block(box, comm.size(), comm.rank());
  for (std::size_t k = 0; k < mesh.tets.coords.size(); ++k) {
    const double b = narrowing[k % 3];
    const double length = box.lengths[k % 3];
    double& x = mesh.tets.coords[k];
    if (b > 0 && x > 0 && x < length) {
      x = 0.5 * length * (1 + std::tanh(b * (2 * x / length - 1)) / std::tanh(b));
    }
  }
  const std::array<GlobalIndex, 3> nodes = {box.cells[0] + 1, box.cells[1] + 1, box.cells[2] + 1};
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2;
    Group& group = mesh.groups.emplace_back();
    group.name = std::string(1, "xyz"[axis]) + (side % 2 == 0 ? "-min" : "-max");
    for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
      const GlobalIndex id = mesh.tets.node_ids[n];
      const std::array<GlobalIndex, 3> at = {id % nodes[0], id / nodes[0] % nodes[1],
                                             id / nodes[0] / nodes[1]};
      if (at[axis] == (side % 2 == 0 ? 0 : nodes[axis] - 1)) {
        group.nodes.push_back(static_cast<LocalIndex>(n));
      }
    }
  }
  finish(comm, mesh);
  return mesh;
}

void check_whole(const WholeMesh& mesh, const std::string& file) {
  check(!mesh.tets.empty(), "{}: there are no tetrahedra; save the volume, too", file);
  const std::size_t nodes = mesh.coords.size() / 3;
  std::vector<char> is_used(nodes, 0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (const GlobalIndex node : mesh.tets[t]) {
      check(node >= 0 && node < static_cast<GlobalIndex>(nodes),
            "{}: tetrahedron {} has a node that is not there", file, t + 1);
      is_used[static_cast<std::size_t>(node)] = 1;
    }
    const double volume = determinant(mesh, mesh.tets[t]) / 6;
    check(
        volume > 0,
        "{}: tetrahedron {} has the volume {:.3g}: it is {}; mend the mesh, or its order of nodes",
        file, t + 1, volume, volume < 0 ? "turned inside out" : "flat");
  }
  const auto unused = std::find(is_used.begin(), is_used.end(), 0);
  check(unused == is_used.end(), "{}: no tetrahedron uses node {} of the file; leave it out", file,
        unused - is_used.begin() + 1);
}

Mesh deal(const comm::Comm& comm, const WholeMesh& whole) {
  std::vector<int> parts(whole.tets.size(), 0);
  if (comm.size() > 1) {
    comm::agree(comm, [&] {
      if (comm.is_root()) {
        parts = parts_of(whole, comm.size());
      }
    });
    comm::bcast(comm, parts);
  }
  Mesh mesh;
  constexpr LocalIndex nowhere = -1;
  std::vector<LocalIndex> numbers(whole.coords.size() / 3, nowhere);
  for (std::size_t t = 0; t < whole.tets.size(); ++t) {
    if (parts[t] == comm.rank()) {
      for (const GlobalIndex node : whole.tets[t]) {
        numbers[static_cast<std::size_t>(node)] = 0;
      }
    }
  }
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    if (numbers[n] != nowhere) {
      numbers[n] = static_cast<LocalIndex>(mesh.tets.num_nodes());
      mesh.tets.node_ids.push_back(static_cast<GlobalIndex>(n));
      mesh.tets.coords.insert(mesh.tets.coords.end(), {whole.coords[3 * n], whole.coords[3 * n + 1],
                                                       whole.coords[3 * n + 2]});
    }
  }
  const auto number = [&numbers](GlobalIndex n) { return numbers[static_cast<std::size_t>(n)]; };
  for (std::size_t t = 0; t < whole.tets.size(); ++t) {
    if (parts[t] == comm.rank()) {
      const auto& tet = whole.tets[t];
      mesh.tets.tets.push_back({number(tet[0]), number(tet[1]), number(tet[2]), number(tet[3])});
      mesh.tets.tet_ids.push_back(static_cast<GlobalIndex>(t));
    }
  }
  for (const WholeMesh::Faces& faces : whole.groups) {
    Group& group = mesh.groups.emplace_back(Group{faces.name, {}});
    for (const GlobalIndex node : faces.nodes) {
      if (number(node) != nowhere) {
        group.nodes.push_back(number(node));
      }
    }
  }
  finish(comm, mesh);
  return mesh;
}

Mesh open_gmsh(const comm::Comm& comm, const std::filesystem::path& file) {
  WholeMesh whole;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      whole = read_gmsh(file);
      check_whole(whole, file.string());
    }
  });
  comm::bcast(comm, whole.coords);
  comm::bcast(comm, whole.tets);
  whole.groups.resize(comm::bcast(comm, whole.groups.size()));
  for (WholeMesh::Faces& faces : whole.groups) {
    comm::bcast(comm, faces.name);
    comm::bcast(comm, faces.nodes);
  }
  return deal(comm, whole);
}

} // namespace isthmus::convection
