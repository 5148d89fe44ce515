// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/claims.hpp"

#include "protocol/relations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;
using config::Constraint;

TEST_CASE("the best claim wins a vertex, by its corner where distances are equal") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const protocol::MeshRelation relation = relation_of(claiming, false);
  const mesh::Mesh mesh("M", 2, {0, 0, 1, 0, 2, 0}, {}, {});
  transfer::Selection everything;
  everything.everything = true;
  transfer::Selection last; // the last two vertices
  last.vertices = {1, 2};
  Contest held(relation, mesh);
  held.begin({&everything, &last});
  CHECK(std::isinf(held.farthest()));
  const double none = std::numeric_limits<double>::infinity();
  held.enter(0, everything, {{{{0.25, {}}, {1, {3, 0, 0}}, {none, {}}}}, {{}}});
  held.enter(1, last, {{{{1, {2, 0, 0}}, {4, {}}}}, {{}}});
  held.settle();
  CHECK(held.farthest() == 2);
  CHECK(held.awards(0, everything).lists[0] ==
        std::vector{Award::as_claimed, Award::no, Award::no});
  CHECK(held.awards(1, last).lists[0] == std::vector{Award::as_claimed, Award::as_claimed});
}

TEST_CASE("candidates of several ranks decide together about what all of them get") {
  auto claiming = nearest_neighbor(true, Constraint::consistent);
  claiming.kind = config::MappingKind::nearest_projection;
  const protocol::MeshRelation relation = relation_of(claiming, false);
  const mesh::Mesh mesh("M", 2, {0, 0, 1, 0, 2, 0}, {}, {});
  transfer::Selection everything;
  everything.everything = true;
  transfer::Selection last;
  last.vertices = {1, 2};
  Contest held(relation, mesh);
  held.begin({&everything, &last});
  CHECK(held.contested(everything) == std::vector<char>{0, 1, 1});
  CHECK(held.contested(last) == std::vector<char>{1, 1});
  const double none = std::numeric_limits<double>::infinity();
  // a vertex above the second one, and an edge that only the third one falls on, a bit farther away
  const CandidateElements vertex{{7}, {1, 0.25}, {}, {}};
  const CandidateElements edge{{5, 8}, {1.5, 0.5, 2.5, 0.5}, {0, 1}, {}};
  held.enter(0, everything, {{{{0.0625, {}}, {none, {}}, {none, {}}}}, {vertex}});
  held.enter(1, last, {{{{none, {}}, {none, {}}}}, {edge}});
  held.settle();
  CHECK(held.farthest() == 0.5);
  const Awards first = held.awards(0, everything);
  CHECK(first.lists[0] == std::vector{Award::as_claimed, Award::as_chosen, Award::no});
  CHECK(first.choices[0] ==
        std::vector{geometry::Projection{{1, 0, 0}, geometry::Box::infinity, {7, -1, -1}, 1}});
  const Awards second = held.awards(1, last);
  CHECK(second.lists[0] == std::vector{Award::no, Award::as_chosen});
  CHECK(second.choices[0] ==
        std::vector{geometry::Projection{{0.5, 0.5, 0}, geometry::Box::infinity, {5, 8, -1}, 2}});
}
