// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/mesh.hpp"
#include "cases.hpp"
#include "convection/program/run.hpp"
#include "folder_of_root.hpp"
#include "gmsh_file.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/interface_sum.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
  return message_of([] { static_cast<void>(open_gmsh(comm::Comm(), "bad.msh")); });
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
  const WorkingFolder own;
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string folder = folder_of_root(comm);
  if (comm.is_root()) {
    std::ofstream(folder + "/old.msh") << old_file;
    std::ofstream(folder + "/new.msh") << new_file;
  }
  comm::barrier(comm);
  const Mesh old_mesh = open_gmsh(comm, folder + "/old.msh");
  const Mesh new_mesh = open_gmsh(comm, folder + "/new.msh");
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
  comm::barrier(comm);
}

TEST_CASE("outer faces that no physical surface has are a group, which needs a condition") {
  const WorkingFolder own;
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string folder = folder_of_root(comm);
  if (comm.is_root()) {
    std::ofstream(folder + "/own.msh") << with(old_file, "\"floor\"", "\"others\"");
    GmshFile(folder + "/box.msh", discrete::make_block({{4, 3, 5}, {4, 1, 2}, 6}, 1, 0))
        .write(true);
  }
  comm::barrier(comm);
  const Mesh mesh = open_gmsh(comm, folder + "/box.msh");
  const std::vector<LocalIndex>& others = mesh.group("others").nodes;
  for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
    const double* const at = &mesh.tets.coords[3 * n];
    const bool is_there = at[0] == 0 || at[0] == 4 || at[1] == 0 || at[1] == 1 || at[2] == 2;
    CHECK(is_there == std::binary_search(others.begin(), others.end(), static_cast<LocalIndex>(n)));
  }
  CHECK(open_gmsh(comm, folder + "/own.msh").groups.size() == 1);

  Case from = case_of(cavity);
  from.mesh.file = folder + "/box.msh";
  from.time.steps = 1;
  from.conditions.resize(2);
  from.conditions[0].group = from.conditions[1].group = "floor";
  const auto refusal =
      message_of([&] { static_cast<void>(convection::run(comm, from, "", nullptr)); });
  INFO(refusal);
  CHECK(refusal.find("group \"others\" of the mesh, its outer faces that no physical surface has, "
                     "has no condition") != std::string::npos);
  from.conditions[1].group = "others";
  CHECK(!convection::run(comm, from, "", nullptr).has_level);
  comm::barrier(comm);
}

TEST_CASE("nodes in another order have the same places, groups and sharers") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const discrete::TetBox box{{4, 3, 5}, {4, 1, 2}, 6};
  for (const NodeOrder order :
       {NodeOrder::reverse_cuthill_mckee, NodeOrder::hilbert, NodeOrder::levels_along_hilbert}) {
    Mesh mesh = make_box(comm, box);
    const std::vector<GlobalIndex> before = mesh.tets.node_ids;
    renumber(mesh, order);
    CHECK(mesh.tets.node_ids != before);
    CHECK(volume(comm, mesh) == doctest::Approx(8));
    const std::vector<LocalIndex>& side = mesh.group("x-max").nodes;
    std::vector<double> ids;
    for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
      CHECK((mesh.tets.coords[3 * n] == 4) ==
            std::binary_search(side.begin(), side.end(), static_cast<LocalIndex>(n)));
      ids.push_back(static_cast<double>(mesh.tets.node_ids[n]));
    }
    std::vector<double> sums = ids;
    exchange::InterfaceSum(comm, mesh.plan, 1, exchange::SumStrategy::one_round)(sums);
    for (std::size_t i = 0; i < mesh.plan.shared.size(); ++i) {
      const auto n = static_cast<std::size_t>(mesh.plan.shared[i]);
      CHECK(sums[n] == ids[n] * static_cast<double>(mesh.plan.sharers_of(i).size()));
    }
  }
}

TEST_CASE(
    "a file that all ranks read in shares is the mesh that one rank reads, and its generator's") {
  const WorkingFolder own;
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string folder = folder_of_root(comm);
  const discrete::TetMesh box = discrete::make_block({{4, 3, 5}, {4, 1, 2}, 6}, 1, 0);
  for (const bool is_new : {false, true}) {
    const std::string file = folder + (is_new ? "/new.msh" : "/old.msh");
    if (comm.is_root()) {
      GmshFile(file, box).write(is_new);
    }
    comm::barrier(comm);
    const Mesh whole = open_gmsh(comm::Comm(), file);
    CHECK(whole.tets.coords == box.coords);
    CHECK(whole.tets.tets == box.tets);
    const Mesh mesh = open_gmsh(comm, file);
    const auto tets = static_cast<GlobalIndex>(mesh.tets.tets.size());
    CHECK(comm::allreduce(comm, tets, comm::Op::sum) == 4 * 3 * 5 * 6);
    CHECK(tets * comm.size() < 1.1 * 4 * 3 * 5 * 6);
    for (std::size_t t = 0; t < mesh.tets.tets.size(); ++t) {
      for (std::size_t k = 0; k < 4; ++k) {
        const auto node = static_cast<std::size_t>(mesh.tets.tets[t][k]);
        CHECK(mesh.tets.node_ids[node] ==
              box.tets[static_cast<std::size_t>(mesh.tets.tet_ids[t])][k]);
      }
    }
    const std::vector<LocalIndex>& floor = mesh.group("floor").nodes;
    for (std::size_t n = 0; n < mesh.tets.num_nodes(); ++n) {
      const auto there = 3 * static_cast<std::size_t>(mesh.tets.node_ids[n]);
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(mesh.tets.coords[3 * n + c] == box.coords[there + c]);
      }
      CHECK((mesh.tets.coords[3 * n + 2] == 0) ==
            std::binary_search(floor.begin(), floor.end(), static_cast<LocalIndex>(n)));
    }
  }
  comm::barrier(comm);
}

TEST_CASE("all ranks say what is wrong in the share of one") {
  const WorkingFolder own;
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string file = folder_of_root(comm) + "/bad.msh";
  for (const auto& [old, now, part] : std::vector<std::array<std::string, 3>>{
           {"1 2 3 5\n", "2 1 3 5\n",
            "bad.msh:23: the tetrahedron has the volume -0.167: it is turned inside out"},
           {"7 5 3 8\n", "7 5 3 9\n", "bad.msh:26: there is no node 9"},
           {"6 1 0 1\n", "6 1 0\n", "bad.msh:15: a number is missing"},
           {"1 2 3 5\n", "1 2 3 4\n", "bad.msh:23: the tetrahedron has the volume 0: it is flat"},
           {"$Nodes\n8\n", "$Nodes\n9\n9 5 5 5\n", "no tetrahedron uses node number 1 of $Nodes"},
           {"7 4 2 0 1 2 3 5 8\n$EndElements\n", "",
            "bad.msh:26: the file ends within $Elements"}}) {
    if (comm.is_root()) {
      std::ofstream(file) << with(old_file, old, now);
    }
    comm::barrier(comm);
    const std::string found = message_of([&] { static_cast<void>(open_gmsh(comm, file)); });
    INFO(found);
    CHECK(found.find(part) != std::string::npos);
    comm::barrier(comm);
  }
}

TEST_CASE("a file of Gmsh that is cut short anywhere is refused on all ranks") {
  const WorkingFolder own;
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string file = folder_of_root(comm) + "/cut.msh";
  for (const std::string& text : {old_file, new_file}) {
    for (std::size_t size = 0; size < text.find("$EndElements"); size += 23) {
      if (comm.is_root()) {
        std::ofstream(file) << text.substr(0, size);
      }
      comm::barrier(comm);
      INFO(size, " of ", text.size(), " bytes");
      CHECK(message_of([&] { static_cast<void>(open_gmsh(comm, file)); }).find("cut.msh") !=
            std::string::npos);
      comm::barrier(comm);
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
      "no tetrahedron uses node number 9 of $Nodes");
  has(refusal(with(old_file, "3 0 1 0", "3 0 x 0")), "bad.msh:12: a number is missing");
  has(refusal(with(old_file, "3 0 1 0", "3 0 nan 0")), "bad.msh:12: a place that is no number");
  has(refusal(with(old_file, "2 1 0 0\n", "1 1 0 0\n")), "node 1 occurs twice");
  has(refusal(with(old_file, "1 1 2 3 5\n", "1 1 2 3 4\n")), "bad.msh:23: the tetrahedron has the");
  has(refusal(new_file.substr(0, new_file.find("4\n0 0 0\n"))), "the file ends within $Nodes");
  has(refusal(new_file.substr(0, new_file.find("$EndElements"))), "ends within $Elements");
  has(refusal(old_file.substr(0, old_file.find("$Physical"))), "ends without $Nodes");
  has(message_of([] { static_cast<void>(open_gmsh(comm::Comm(), "none.msh")); }),
      "cannot open \"none.msh\"");
}
