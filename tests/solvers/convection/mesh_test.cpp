// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/mesh.hpp"
#include "cases.hpp"
#include "convection/mesh/gmsh.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// The unit cube as five tetrahedra and two triangles of its floor, which is named.
const std::string nodes_old =
    "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n5 0 0 1\n6 1 0 1\n7 0 1 1\n8 1 1 "
    "1\n$EndNodes\n";
const std::string old_file =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"floor\"\n$EndPhysicalNames\n" +
    nodes_old +
    "$Elements\n7\n1 2 2 7 1 1 2 3\n2 2 2 7 1 2 4 3\n3 4 2 0 1 1 2 3 5\n4 4 2 0 1 4 3 2 8\n"
    "5 4 2 0 1 6 2 5 8\n6 4 2 0 1 7 5 3 8\n7 4 2 0 1 2 3 5 8\n$EndElements\n";
const std::string new_file =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"floor\"\n$EndPhysicalNames\n"
    "$Entities\n0 0 1 1\n3 0 0 0 1 1 0 1 7 0\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 8 1 8\n2 3 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n"
    "3 1 0 4\n5\n6\n7\n8\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n$EndNodes\n"
    "$Elements\n2 7 1 7\n2 3 2 2\n1 1 2 3\n2 2 4 3\n3 1 4 5\n3 1 2 3 5\n4 4 3 2 8\n5 6 2 5 8\n"
    "6 7 5 3 8\n7 2 3 5 8\n$EndElements\n";

/// Of all ranks.
double volume(const comm::Comm& comm, const Mesh& mesh) {
  double sum = 0;
  for (const auto& tet : mesh.tets.tets) {
    sum += discrete::linear_tet(mesh.tets, tet).volume;
  }
  return comm::allreduce(comm, sum, comm::Op::sum);
}

std::string refusal(const std::string& text) {
  std::ofstream("bad.msh") << text;
  return message_of([] { check_whole(read_gmsh("bad.msh"), "bad.msh"); });
}

} // namespace

TEST_CASE("boxes have their volume, their nodes and six sides on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const discrete::TetBox box{{4, 3, 5}, {4, 1, 2}, 6};
  const Mesh mesh = make_box(comm, box);
  CHECK(volume(comm, mesh) == doctest::Approx(8));
  CHECK(comm::allreduce(comm, GlobalIndex{mesh.plan.num_owned()}, comm::Op::sum) == 5 * 4 * 6);
  for (const LocalIndex node : mesh.group("x-max").nodes) {
    CHECK(mesh.tets.coords[3 * static_cast<std::size_t>(node)] == 4);
  }
  CHECK(message_of([&] { static_cast<void>(mesh.group("lid")); }).find("x-min, x-max, y-min") !=
        std::string::npos);
}

TEST_CASE("cells that are narrower at the ends fill the same box") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const discrete::TetBox box{{6, 3, 5}, {4, 1, 2}, 6};
  const Mesh mesh = make_box(comm, box, {2, 0, 1.5});
  CHECK(volume(comm, mesh) == doctest::Approx(8));
  const double first = 2 * (1 + std::tanh(2 * (2.0 / 6 - 1)) / std::tanh(2.0));
  for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
    const GlobalIndex id = mesh.tets.node_ids[n];
    CHECK(mesh.tets.coords[3 * n + 1] ==
          doctest::Approx(static_cast<double>(id / 7 % 4) / 3)); // even
    if (id % 7 == 1) {
      CHECK(mesh.tets.coords[3 * n] == doctest::Approx(first));
    }
  }
  for (const LocalIndex node : mesh.group("z-max").nodes) {
    CHECK(mesh.tets.coords[3 * static_cast<std::size_t>(node) + 2] == 2);
  }
}

TEST_CASE("files of Gmsh in both formats give the same mesh, dealt to the ranks") {
  const WorkingFolder folder;
  const comm::Comm comm(MPI_COMM_WORLD);
  if (comm.is_root()) {
    std::ofstream("old.msh") << old_file;
    std::ofstream("new.msh") << new_file;
  }
  const Mesh old_mesh = open_gmsh(comm, "old.msh");
  const Mesh new_mesh = open_gmsh(comm, "new.msh");
  CHECK(old_mesh.tets.tets == new_mesh.tets.tets);
  CHECK(old_mesh.tets.coords == new_mesh.tets.coords);
  CHECK(volume(comm, old_mesh) == doctest::Approx(1));
  CHECK(comm::allreduce(comm, GlobalIndex{old_mesh.plan.num_owned()}, comm::Op::sum) == 8);
  for (const Mesh* mesh : {&old_mesh, &new_mesh}) {
    const std::vector<LocalIndex>& floor = mesh->group("floor").nodes;
    for (std::size_t n = 0; n < mesh->tets.num_nodes(); ++n) {
      const bool is_low = mesh->tets.coords[3 * n + 2] == 0;
      CHECK(is_low == std::binary_search(floor.begin(), floor.end(), static_cast<LocalIndex>(n)));
    }
  }
}

TEST_CASE("bad files of Gmsh are refused with their line" * on_ranks(1, 1)) {
  const WorkingFolder folder;
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(refusal(old_file.substr(0, old_file.find("7 4 2 0 1"))), "bad.msh:26: the file ends within");
  has(refusal(old_file.substr(0, old_file.find("$Elements"))), "ends without $Elements");
  has(refusal(with(old_file, "1 2 3 5\n", "2 1 3 5\n")), "turned inside out");
  has(refusal(with(old_file, "1 2 3 5\n", "1 2 3 9\n")), "there is no node 9");
  has(refusal(with(old_file, "2.2 0", "2.2 1")), "bad.msh:2: the file is binary");
  has(refusal(with(old_file, "2.2 0", "3 0")), "bad.msh:2: format 3 is not read");
  has(refusal(with(with(old_file, "$Nodes\n8", "$Nodes\n9"), "$EndNodes", "9 5 5 5\n$EndNodes")),
      "no tetrahedron uses node 9");
  has(refusal(with(old_file, "3 0 1 0", "3 0 x 0")), "bad.msh:12: a number is missing");
  has(message_of([] { static_cast<void>(read_gmsh("none.msh")); }), "cannot open \"none.msh\"");
}
