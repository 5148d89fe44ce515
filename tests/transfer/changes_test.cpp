// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/changes.hpp"

#include "isthmus/transfer/displacement.hpp"
#include "isthmus/transfer/mesh_bits.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <limits>
#include <vector>

using namespace isthmus;
using namespace isthmus::transfer;
using geometry::Box;

TEST_CASE("changes hold all boxes, however many") {
  Changes changes;
  CHECK_FALSE(changes.reach({})); // nothing has moved anywhere
  for (int i = 0; i < 30; ++i) {
    const double x = i;
    changes.enclose({{x, 0, 0}, {x + 0.1, 1, 0}});
  }
  CHECK(changes.moved_boxes().size() == Changes::max_boxes);
  for (int i = 0; i < 30; ++i) {
    const double x = i;
    const Box box{{x, 0, 0}, {x, 0, 0}};
    CHECK(changes.reach(std::span(&box, 1)));
  }
  const Box far{{0, 2, 0}, {30, 3, 0}};
  CHECK_FALSE(changes.reach(std::span(&far, 1)));
  CHECK(changes.reach({})); // everywhere
}

TEST_CASE("changes of several ranks are small if all are") {
  Changes all;
  Changes other;
  other.moved_by = 2;
  other.enclose({{0, 0, 0}, {1, 1, 1}});
  all.merge(other);
  CHECK(all.is_small == 1);
  CHECK(all.moved_by == 2);
  other.is_small = 0;
  other.moved_by = 1;
  all.merge(other);
  CHECK(all.is_small == 0);
  CHECK(all.moved_by == 2);
  CHECK(merged_over_ranks(comm::Comm(MPI_COMM_SELF), all).moved_by == 2);
  CHECK(max_meshes_to_reset == std::numeric_limits<MeshBits>::digits);
}

TEST_CASE("either side's changes reach a region") {
  Renewal renewal;
  const Box region{{0, 0, 0}, {1, 1, 0}};
  CHECK_FALSE(renewal.reaches(std::span(&region, 1)));
  renewal.theirs.enclose({{0.5, 0.5, 0}, {2, 2, 0}});
  CHECK(renewal.reaches(std::span(&region, 1)));
}

TEST_CASE("moves are known by where they were first, and must stay in their boxes") {
  RememberedMesh last{mesh::Mesh("M", 2, {0, 0, 1, 0, 2, 0}, {}, {}), {}, {}};
  mesh::Mesh now("M", 2, {0, 0, 1, 0.3, 2, 0}, {}, {});
  const std::vector<Box> boxes{{{0, -1, 0}, {1, 1, 0}}, {{1.5, -1, 0}, {3, 1, 0}}};
  Changes changes;
  note_moves(last, now, &boxes, 0.25, changes);
  CHECK(last.moved == std::vector<LocalIndex>{1});
  CHECK(changes.is_small == 1);
  CHECK(changes.moved_by == doctest::Approx(0.3));
  REQUIRE(changes.moved_boxes().size() == 1);
  CHECK(changes.moved_boxes()[0].lo == geometry::Point{0.75, -0.25, -0.25});
  CHECK(changes.moved_boxes()[0].hi == geometry::Point{1.25, 0.55, 0.25});
  last.mesh = now;
  now = mesh::Mesh("M", 2, {0, 0, 1.3, 0.4, 2, 0}, {}, {}); // out of the first box
  changes = {};
  note_moves(last, now, nullptr, 0, changes);
  CHECK(changes.is_small == 1);
  CHECK(changes.moved_by == doctest::Approx(0.5)); // from where it was first
  note_moves(last, now, &boxes, 0, changes);
  CHECK(changes.is_small == 0);
  changes = {};
  note_moves(last, mesh::Mesh("M", 2, {0, 0}, {}, {}), nullptr, 0, changes); // another one
  CHECK(changes.is_small == 0);
}

TEST_CASE("what both sides have moved must fit into what the margin has left") {
  Displacement displacement{1.0, 0, 0};
  Changes provided;
  provided.reset = 1;
  provided.moved_by = 0.6;
  displacement.add(provided, {});
  CHECK(displacement.is_allowed());
  Changes received;
  received.reset = 2;
  received.moved_by = 0.5;
  displacement.add({}, received);
  CHECK_FALSE(displacement.is_allowed());
  provided.moved_by = 0.4; // vertices have come back
  displacement.add(provided, {});
  CHECK(displacement.is_allowed());
}
