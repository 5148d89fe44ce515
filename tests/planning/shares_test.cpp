// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using transfer::Selection;

TEST_CASE("a rank gets the vertices whose numbers are in its share") {
  mesh::Mesh mesh("M", 2);
  for (int i = 0; i < 10; ++i) {
    mesh.add_vertices(std::vector<double>{0.0, 0.0});
  }
  const GlobalIndex first = 25; // of 39
  std::vector<LocalIndex> all;
  for (int rank = 0; rank < 3; ++rank) {
    Selection chosen;
    const protocol::Stretch added =
        add_share(mesh, first, number_boxes(share_of(rank, 3, 39)), chosen);
    CHECK(added.count == static_cast<LocalIndex>(chosen.vertices.size()));
    for (const LocalIndex vertex : chosen.vertices) {
      CHECK((first + vertex) / 13 == rank);
    }
    all.insert(all.end(), chosen.vertices.begin(), chosen.vertices.end());
  }
  CHECK(all.size() == 10);
  CHECK(number_boxes({3, 0}).empty());
}

TEST_CASE("a share is added to what a rank gets beside it, whose elements stay what they are") {
  mesh::Mesh mesh("M", 2);
  for (int i = 0; i < 10; ++i) {
    mesh.add_vertices(std::vector<double>{1.0 * i, 0.0});
  }
  mesh.add_edges(std::vector<LocalIndex>{0, 1, 5, 6, 8, 9});
  mesh.add_triangles(std::vector<LocalIndex>{5, 6, 9});
  const Selection around =
      transfer::select(mesh, std::vector<geometry::Box>{{{4.5, -1, 0}, {6.5, 1, 0}}}, true);
  REQUIRE(around.vertices == std::vector<LocalIndex>{5, 6, 9});
  for (GlobalIndex begin = 0; begin <= 10; ++begin) {
    for (GlobalIndex end = begin; end <= 10; ++end) {
      Selection both = around;
      const GlobalIndex first = 100;
      const protocol::Stretch added =
          add_share(mesh, first, number_boxes({first + begin, end - begin}), both);
      REQUIRE(added.count == end - begin);
      for (LocalIndex i = 0; i < added.count; ++i) {
        CHECK(both.vertex(added.first + i) == begin + i);
      }
      std::vector<LocalIndex> corners;
      for (const std::vector<LocalIndex>* list : {&both.edges, &both.triangles}) {
        for (const LocalIndex position : *list) {
          corners.push_back(both.vertex(position));
        }
      }
      CHECK(corners == std::vector<LocalIndex>{5, 6, 5, 6, 9});
      CHECK(both.vertices.size() <= around.vertices.size() + static_cast<std::size_t>(end - begin));
      CHECK(std::is_sorted(both.vertices.begin(), both.vertices.end()));
    }
  }
  Selection none; // of another rank's numbers
  CHECK(add_share(mesh, 0, number_boxes({20, 4}), none).count == 0);
  CHECK(add_share(mesh, 0, number_boxes({20, 4}), none).first == 0);
  CHECK(none.vertices.empty());
  Selection everything;
  everything.everything = true;
  const protocol::Stretch added = add_share(mesh, 0, number_boxes({3, 4}), everything);
  CHECK(added.first == 3);
  CHECK(added.count == 4);
  CHECK(everything.vertices.empty());
}
