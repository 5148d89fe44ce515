// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/quads.hpp"

#include <doctest/doctest.h>

using namespace isthmus::geometry;
using Corners = std::array<Point, 4>;
using Triangles = std::array<std::array<int, 3>, 2>;

TEST_CASE("a quadrilateral is cut along its shorter diagonal") {
  const Corners flat{{{0, 0, 0}, {4, 0, 0}, {5, 1, 0}, {1, 1, 0}}};
  const QuadSplit split = split_quad(flat);
  CHECK(split.shape == QuadShape::convex);
  CHECK(split.triangles == Triangles{{{0, 1, 3}, {1, 2, 3}}});
  CHECK(split.warp == 0.0);
  const Corners turned{{{4, 0, 0}, {5, 1, 0}, {1, 1, 0}, {0, 0, 0}}};
  CHECK(split_quad(turned).triangles == Triangles{{{0, 1, 2}, {0, 2, 3}}});
}

TEST_CASE("equal diagonals: the cut starts at the first corner of a square, as in preCICE") {
  Corners square{{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  for (int turn = 0; turn < 4; ++turn) {
    CHECK(split_quad(square).triangles == Triangles{{{0, 1, 2}, {0, 2, 3}}});
    std::rotate(square.begin(), square.begin() + 1, square.end());
  }
}

TEST_CASE("equal diagonals: else at the corner that lies least far along the first edge") {
  const Corners trapezium{{{1, 1, 0}, {2, 1, 0}, {3, 0, 0}, {0, 0, 0}}};
  CHECK(split_quad(trapezium).triangles == Triangles{{{0, 1, 3}, {1, 2, 3}}});
}

TEST_CASE("corners in crosswise order are put in order") {
  const QuadSplit split = split_quad({{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1.5, 0}}});
  CHECK(split.shape == QuadShape::convex);
  CHECK(split.triangles == Triangles{{{0, 2, 1}, {0, 1, 3}}});
}

TEST_CASE("non-convex, degenerate and warped quadrilaterals are told apart") {
  CHECK(split_quad({{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}}}).shape == QuadShape::non_convex);
  CHECK(split_quad({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}}).shape == QuadShape::degenerate);
  CHECK(split_quad({{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}}).shape == QuadShape::degenerate);
  CHECK(split_quad({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}).shape == QuadShape::degenerate);
  const QuadSplit warped = split_quad({{{0, 0, 0}, {1, 0, 0.2}, {1, 1, 0}, {0, 1, 0.2}}});
  CHECK(warped.shape == QuadShape::convex);
  CHECK(warped.warp == doctest::Approx(0.2 / std::sqrt(2.0)));
}
