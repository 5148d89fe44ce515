// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/messages.hpp"

#include "planning/relations.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using config::Constraint;

TEST_CASE("the messages of a relation follow from its uses and the ranks of the receiver") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const auto adding = nearest_neighbor(true, Constraint::conservative);
  const auto reading = nearest_neighbor(false, Constraint::consistent);
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
