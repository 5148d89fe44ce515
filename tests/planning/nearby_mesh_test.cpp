// SPDX-License-Identifier: BSD-3-Clause
// Who asks for the own mesh, and what a rank gets of it.
#include "isthmus/planning/search/nearby_mesh.hpp"

#include "isthmus/comm/comm.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::planning;

namespace {

/// Vertices at 0, 1, … `count` on a line, joined by edges; the first is `first`.
mesh::Mesh line(int first, int count) {
  mesh::Mesh mesh("N", 2);
  for (int i = 0; i < count; ++i) {
    mesh.add_vertices(std::vector<double>{1.0 * (first + i), 0.0});
    if (i > 0) {
      mesh.add_edges(std::vector<LocalIndex>{i - 1, i});
    }
  }
  return mesh;
}

} // namespace

TEST_CASE("those ask that were awarded, and with elements those around them") {
  const mesh::Mesh received = line(0, 6);
  const std::vector<LocalIndex> awarded{0, 0, 1, 0, 0, 1};
  const Asking alone = asking_for(received, awarded, false);
  CHECK(alone.vertices == std::vector<LocalIndex>{2, 5});
  CHECK(alone.mesh.edges().empty());
  CHECK(alone.mesh.vertex(1)[0] == 5);
  const Asking around = asking_for(received, awarded, true);
  CHECK(around.vertices == std::vector<LocalIndex>{1, 2, 3, 4, 5});
  const auto edges = around.mesh.edges();
  CHECK(std::vector<LocalIndex>(edges.begin(), edges.end()) ==
        std::vector<LocalIndex>{0, 1, 1, 2, 3, 4});
}

TEST_CASE("a rank gets what others have in its boxes, and where they have it") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr int each = 4;
  const mesh::Mesh own = line(each * comm.rank(), each);
  // the last vertex of the rank below and the first of that above
  const double lo = each * comm.rank() - 1;
  const double hi = each * (comm.rank() + 1);
  const std::vector<geometry::Box> boxes{{{lo, -1, 0}, {hi, 1, 0}}};
  for (const bool with_elements : {false, true}) {
    CAPTURE(with_elements);
    const NearbyMesh nearby = mesh_around(comm, own, with_elements, boxes);
    REQUIRE(nearby.mesh.num_vertices() == each + static_cast<LocalIndex>(nearby.others.size()));
    std::vector<double> found;
    for (std::size_t i = 0; i < nearby.others.size(); ++i) {
      const auto [rank, vertex] = nearby.others[i];
      const double x = nearby.mesh.vertex(each + static_cast<LocalIndex>(i))[0];
      CHECK(x == each * rank + vertex);
      if (x >= lo && x <= hi) {
        found.push_back(x);
      }
    }
    std::vector<double> expected;
    if (comm.rank() > 0) {
      expected.push_back(lo);
    }
    if (comm.rank() + 1 < comm.size()) {
      expected.push_back(hi);
    }
    CHECK(found == expected);
    const std::size_t neighbours = expected.size();
    // own edges, and of each neighbour the one that touches the box
    CHECK(nearby.mesh.edges().size() >= (with_elements ? 2 * (each - 1 + neighbours) : 0));
    CHECK(nearby.mesh.edges().empty() == !with_elements);
  }
}
