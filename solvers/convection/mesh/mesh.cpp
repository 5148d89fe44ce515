// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/mesh.hpp"

#include "convection/mesh/gmsh.hpp"
#include "convection/mesh/mesh_share.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/partition/order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::convection {

namespace {

/// The node that becomes number k, for each k; `order` is another one than the given.
std::vector<LocalIndex> nodes_in_order(NodeOrder order, const discrete::TetMesh& tets) {
  if (order == NodeOrder::hilbert) {
    return partition::hilbert_order(3, tets.coords);
  }
  const discrete::NodeGraph graph = discrete::node_graph(tets);
  const partition::Adjacency neighbours{graph.offsets, graph.neighbours};
  return order == NodeOrder::levels_along_hilbert
             ? partition::levels_along_hilbert(neighbours, 3, tets.coords)
             : partition::reverse_cuthill_mckee(neighbours);
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

void finish(const comm::Comm& comm, Mesh& mesh) {
  comm::agree(comm, [&mesh] {
    check(!mesh.tets.tets.empty(), "this rank has no tetrahedra; take fewer ranks");
  });
  mesh.plan = exchange::make_interface_plan(comm, mesh.tets.node_ids);
}

void renumber(Mesh& mesh, NodeOrder order) {
  if (order == NodeOrder::given) {
    return;
  }
  const std::vector<LocalIndex> nodes = nodes_in_order(order, mesh.tets);
  const std::vector<LocalIndex> numbers = partition::inverse(nodes);
  mesh.tets = discrete::reorder(mesh.tets, nodes);
  mesh.plan = exchange::renumber(std::move(mesh.plan), numbers);
  for (Group& group : mesh.groups) {
    for (LocalIndex& node : group.nodes) {
      node = numbers[static_cast<std::size_t>(node)];
    }
    std::sort(group.nodes.begin(), group.nodes.end());
  }
}

Mesh open_gmsh(const comm::Comm& comm, const std::filesystem::path& file) {
  return deal(comm, read_gmsh(comm, file));
}

} // namespace isthmus::convection
