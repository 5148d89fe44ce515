// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/margin.hpp"

#include "isthmus/comm/comm.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "mesh/three_on.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

TEST_CASE("an extent is that of the meshes of all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh mesh = mesh::three_on(comm.rank());
  const mesh::Mesh empty("E", 2);
  const MeshExtent extent = extent_of(comm, {&mesh, &empty}, {}, true, comm.rank() == 0);
  CHECK(extent.box.lo == geometry::Point{0, 0, 0});
  CHECK(extent.box.hi == geometry::Point{10.0 * (comm.size() - 1) + 2, 0, 0});
  CHECK(extent.num_vertices == 3 * comm.size());
  CHECK(extent.filled == 1);
  CHECK(extent.spacing == 1);
  CHECK(extent.num_ranks == comm.size());
  CHECK(extent.keeps == (comm.size() == 1));
  CHECK(typical_spacing(empty) == 0);
}
