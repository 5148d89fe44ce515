// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/box.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus::geometry;

TEST_CASE("an empty box contains and meets nothing, and its margin does not help") {
  Box box;
  CHECK(box.empty());
  box.expand(5.0);
  CHECK(box.empty());
  CHECK_FALSE(box.contains({0.0, 0.0, 0.0}));
  CHECK_FALSE(box.intersects(Box{{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}));
  CHECK(box.distance2({0.0, 0.0, 0.0}) == Box::infinity);
  CHECK(box.longest_edge() == 0.0);
  CHECK(box.diagonal() == 0.0);
}

TEST_CASE("a box grows around points, boxes and margins") {
  Box box = bounding_box(2, std::vector<double>{0.0, 1.0, 3.0, 5.0, 2.0, 0.5});
  CHECK(box == Box{{0.0, 0.5, 0.0}, {3.0, 5.0, 0.0}});
  CHECK(box.longest_edge() == 4.5);
  CHECK(box.contains({3.0, 5.0, 0.0}));
  CHECK_FALSE(box.contains({3.0, 5.1, 0.0}));
  CHECK(box.distance2({5.0, 6.0, 2.0}) == 9.0);
  CHECK(box.distance2({1.0, 1.0, 0.0}) == 0.0);
  Box other{{3.0, 5.0, 0.0}, {4.0, 6.0, 0.0}};
  CHECK(box.intersects(other));
  other.lo[0] = 3.5;
  CHECK_FALSE(box.intersects(other));
  box.expand(0.5);
  CHECK(box.intersects(other));
  box.expand(other);
  CHECK(box == Box{{-0.5, 0.0, -0.5}, {4.0, 6.0, 0.5}});
  CHECK(Box{{0.0, 0.0, 0.0}, {3.0, 4.0, 0.0}}.diagonal() == 5.0);
}
