// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/access.hpp"

#include <doctest/doctest.h>

using namespace isthmus;

namespace {

const geometry::Box region{{0, 0, 0}, {1, 1, 0}};

protocol::Surroundings nearest_in(double enlargement) {
  protocol::Surroundings around;
  around.nearest = true;
  around.enlargement = enlargement;
  return around;
}

} // namespace

/// From (1, 1) the vertex at the origin is as far away as the diagonal: anything nearer than that
/// may be the nearest one.
TEST_CASE("a rank whose received vertices are all in its region looks for others around it") {
  const mesh::Mesh received("M", 2, {0, 0}, {}, {});
  const planning::Found found = planning::find_in(region, nearest_in(0.5), false, received);
  CHECK(found.needed > 1.414);
  CHECK(found.accessed.num_inside == 1);
}

TEST_CASE("a rank that has received nothing looks as far as its region is enlarged") {
  const mesh::Mesh received("M", 2);
  const planning::Found found = planning::find_in(region, nearest_in(0.5), false, received);
  CHECK(found.needed == 0.5);
}

TEST_CASE("a participant with one rank knows all vertices") {
  const mesh::Mesh received("M", 2, {0, 0}, {}, {});
  CHECK(planning::find_in(region, nearest_in(0.5), true, received).needed == 0);
}
