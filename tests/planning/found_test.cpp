// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/contest/found.hpp"

#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

TEST_CASE("of what was found remains what was awarded, or what was chosen instead") {
  const mesh::Mesh own("N", 2, {0, 0, 1, 0, 2, 0}, {}, {});
  const mapping::Interpolation found{{2, 1, 1}, {0, 1, 2, 2}, {0.5, 0.5, 1, 1}, {0, 0, 0}};
  const std::vector<Award> awards{Award::as_claimed, Award::no, Award::as_chosen};
  std::vector<geometry::Projection> choices{{{0.25, 0.75, 0}, 0, {1, 2, -1}, 2}};
  const mapping::Interpolation kept = keep_awarded(found, awards, choices, own);
  CHECK(kept.counts == std::vector<LocalIndex>{2, 0, 2});
  CHECK(kept.columns == std::vector<LocalIndex>{0, 1, 1, 2});
  CHECK(kept.weights == std::vector<double>{0.5, 0.5, 0.25, 0.75});
  choices[0].vertex[1] = 3;
  CHECK_THROWS_AS(static_cast<void>(keep_awarded(found, awards, choices, own)), Error);
}

TEST_CASE("a claim is worth the distance and the first vertex that was found") {
  const mesh::Mesh own("N", 2, {0, 0, 3, 4}, {}, {});
  const double none = std::numeric_limits<double>::infinity();
  const auto claims = claims_of(own, {{1, 0, 1}, {1, 0}, {1, 1}, {9, none, 16}});
  REQUIRE(claims.size() == 3);
  CHECK(claims[0].corner == geometry::Point{3, 4, 0});
  CHECK(claims[0].better_than(claims[2]));
  CHECK(claims[2].better_than(claims[1]));
}
