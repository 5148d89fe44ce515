// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/shares.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::transfer;

TEST_CASE("shares follow each other, cover everything and differ by one at most") {
  for (int ranks = 1; ranks < 9; ++ranks) {
    for (GlobalIndex total = 0; total < 30; ++total) {
      GlobalIndex next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Share share = share_of(rank, ranks, total);
        CHECK(share.first == next);
        CHECK(share.count >= total / ranks);
        CHECK(share.count <= total / ranks + 1);
        next += share.count;
      }
      CHECK(next == total);
    }
  }
}

TEST_CASE("a rank gets the vertices whose numbers are in its share") {
  mesh::Mesh mesh("M", 2);
  for (int i = 0; i < 10; ++i) {
    mesh.add_vertices(std::vector<double>{0.0, 0.0});
  }
  const GlobalIndex first = 25; // of 39
  std::vector<LocalIndex> all;
  for (int rank = 0; rank < 3; ++rank) {
    const auto chosen = select_numbers(mesh, first, number_boxes(share_of(rank, 3, 39)));
    for (const LocalIndex vertex : chosen.vertices) {
      CHECK((first + vertex) / 13 == rank);
    }
    all.insert(all.end(), chosen.vertices.begin(), chosen.vertices.end());
  }
  CHECK(all.size() == 10);
  CHECK(number_boxes({3, 0}).empty());
}
