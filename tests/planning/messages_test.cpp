// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/messages.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/planning/protocol/claims.hpp"
#include "planning/two_participants.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace isthmus;
using namespace isthmus::planning;
using config::Constraint;

namespace {

/// As another rank gets it.
template <class Message>
Message sent(const Message& message) {
  Writer writer;
  message.write(writer);
  const auto bytes = writer.take();
  Reader reader(bytes);
  Message read = Message::read(reader);
  reader.finish();
  return read;
}

/// A use that claims between two that do not.
transfer::MeshRelation three_uses(const config::Mapping& claims, const config::Mapping& searches) {
  transfer::MeshRelation relation = relation_of(searches, false);
  relation.uses = {transfer::use_of(searches, "M"), transfer::use_of(claims, "M"),
                   transfer::use_of(searches, "M")};
  return relation;
}

} // namespace

TEST_CASE("lists of claims belong to the uses that claim") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const auto searching = nearest_neighbor(false, Constraint::consistent);
  const transfer::MeshRelation relation = three_uses(claiming, searching);
  const std::vector<std::vector<char>> by_use{{}, {1, 0, 1, 1}, {}};
  CHECK(sent(Awards(relation, by_use, 1, 3)).by_use(relation, 3) ==
        std::vector<std::vector<char>>{{}, {0, 1, 1}, {}});
  std::string said;
  try {
    static_cast<void>(sent(Awards(relation, by_use, 1, 2)).by_use(relation, 3));
  } catch (const Error& error) {
    said = error.what();
  }
  CHECK(said.find("awards is too short") != std::string::npos);
}

TEST_CASE("the messages of a relation follow from its uses and the ranks of the receiver") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const auto adding = nearest_neighbor(true, Constraint::conservative);
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  CHECK(claims_compete(relation_of(claiming, false), 2));
  CHECK_FALSE(claims_compete(relation_of(claiming, false), 1));
  CHECK_FALSE(claims_compete(relation_of(reading, false), 2));
  CHECK(owners_matter(relation_of(adding, false).uses[0], 2));
  CHECK_FALSE(owners_matter(relation_of(adding, false).uses[0], 1));
  CHECK_FALSE(owners_matter(relation_of(claiming, false).uses[0], 2));
  CHECK(reads_are_differences(relation_of(reading, true)));
  CHECK_FALSE(reads_are_differences(relation_of(reading, false)));
  CHECK_FALSE(reads_are_differences(relation_of(adding, true)));
  transfer::MeshRelation measured = relation_of(reading, false);
  CHECK_FALSE(ghosts_are_marked(measured, 2));
  measured.is_measured = true;
  CHECK(ghosts_are_marked(measured, 2));
  CHECK_FALSE(ghosts_are_marked(measured, 1));
}

TEST_CASE("what is read is known to both sides after each message") {
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  for (const bool is_remembered : {false, true}) {
    const transfer::MeshRelation relation = relation_of(reading, is_remembered);
    Read receiver;
    Read provider;
    const std::vector<std::vector<LocalIndex>> lists{{1, 2, 5}, {1, 2, 5}, {0, 2, 7}, {}};
    for (const auto& list : lists) {
      const bool is_same = list == receiver.positions;
      provider.update(relation, receiver.change(relation, list));
      CHECK(provider.positions == list);
      CHECK(receiver.positions == list);
      CHECK(provider.differs == (!is_remembered || !is_same));
      CHECK(receiver.differs == provider.differs);
    }
    if (is_remembered) {
      provider.update(relation, receiver.change(relation, {3}));
      provider.update(relation, receiver.keep());
      CHECK(provider.positions == std::vector<LocalIndex>{3});
      CHECK_FALSE(provider.differs);
    }
  }
}

TEST_CASE("the best claim wins a vertex, by its corner where distances are equal") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const transfer::MeshRelation relation = relation_of(claiming, false);
  const mesh::Mesh mesh("M", 2, {0, 0, 1, 0, 2, 0}, {}, {});
  transfer::Selection everything;
  everything.everything = true;
  transfer::Selection last; // the last two vertices
  last.vertices = {1, 2};
  Contest contest(relation, mesh);
  contest.begin();
  CHECK(std::isinf(contest.farthest()));
  const double none = std::numeric_limits<double>::infinity();
  contest.enter(0, everything, Claims(relation, {{{0.25, {}}, {1, {3, 0, 0}}, {none, {}}}}, 0, 3));
  contest.enter(1, last, Claims(relation, {{{1, {2, 0, 0}}, {4, {}}}}, 0, 2));
  CHECK(contest.farthest() == 2);
  CHECK(contest.awards(0, everything).by_use(relation, 3)[0] == std::vector<char>{1, 0, 0});
  CHECK(contest.awards(1, last).by_use(relation, 2)[0] == std::vector<char>{1, 1});
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
