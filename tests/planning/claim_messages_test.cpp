// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/messages.hpp"

#include "isthmus/planning/claims.hpp"
#include "message_of.hpp"
#include "protocol/relations.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;
using config::Constraint;

namespace {

/// As another rank gets it.
template <class Message>
Message sent(const Message& message, const protocol::MeshRelation& relation, LocalIndex count) {
  Writer writer;
  message.write(writer, relation);
  const auto bytes = writer.take();
  Reader reader(bytes);
  Message read = Message::read(reader, relation, count);
  reader.finish();
  return read;
}

template <class Message>
std::string error_of(const Message& message, const protocol::MeshRelation& relation,
                     LocalIndex count) {
  return isthmus::error_of([&] { static_cast<void>(sent(message, relation, count)); });
}

/// A use that claims between two that do not; the mappings must outlive it.
protocol::MeshRelation three_uses(const config::Mapping& claims, const config::Mapping& searches) {
  protocol::MeshRelation relation = relation_of(searches, false);
  relation.uses = {protocol::use_of(searches, "M"), protocol::use_of(claims, "M"),
                   protocol::use_of(searches, "M")};
  return relation;
}

} // namespace

TEST_CASE("awards belong to the uses that claim, and choices to those with candidates") {
  const auto searching = nearest_neighbor(false, Constraint::consistent);
  auto claiming = nearest_neighbor(true, Constraint::consistent);
  const std::vector<std::vector<Award>> lists{
      {}, {Award::no, Award::as_chosen, Award::as_claimed}, {}};
  const geometry::Projection choice{{0.25, 0.75, 0}, 0, {3, 4, -1}, 2};
  const protocol::MeshRelation nearest = three_uses(claiming, searching);
  CHECK(sent(Awards{lists, {{}, {}, {}}}, nearest, 3).lists == lists);
  CHECK(sent(Awards{lists, {{}, {choice}, {}}}, nearest, 3).choices[1].empty());
  claiming.kind = config::MappingKind::nearest_projection;
  const protocol::MeshRelation candidates = three_uses(claiming, searching);
  const Awards read = sent(Awards{lists, {{}, {choice}, {}}}, candidates, 3);
  CHECK(read.lists == lists);
  CHECK(read.choices[1] == std::vector{choice});
  for (const LocalIndex others : {2, 4}) {
    CHECK(error_of(Awards{lists, {{}, {choice}, {}}}, candidates, others)
              .find("awards has 3 values") != std::string::npos);
  }
  CHECK(error_of(Awards{lists, {{}, {}, {}}}, candidates, 3) != "");
}

TEST_CASE("claims travel with candidates, of which each corner is there") {
  auto claiming = nearest_neighbor(true, Constraint::consistent);
  claiming.kind = config::MappingKind::nearest_projection;
  const auto searching = nearest_neighbor(false, Constraint::consistent);
  const protocol::MeshRelation relation = three_uses(claiming, searching);
  const mesh::Mesh own("N", 2, {0, 0, 1, 0, 0, 1, 9, 9, 5, 5}, {}, {});
  const std::vector<geometry::Element> elements{{4, 0, -1}, {0, 1, 2}, {4, -1, -1}};
  Claims claims{{{}, {{0.5, {1, 2, 0}}}, {}}, {{}, candidates_of(own, elements), {}}};
  const Claims read = sent(claims, relation, 1);
  CHECK(read.lists[1][0].distance2 == 0.5);
  CHECK(read.lists[1][0].corner == geometry::Point{1, 2, 0});
  CHECK(read.candidates[1].vertices == std::vector<LocalIndex>{0, 1, 2, 4});
  CHECK(read.candidates[1].coordinates == std::vector<double>{0, 0, 1, 0, 0, 1, 5, 5});
  CHECK(read.candidates[1].edges == std::vector<LocalIndex>{3, 0});
  CHECK(read.candidates[1].triangles == std::vector<LocalIndex>{0, 1, 2});
  claims.candidates[1].edges[0] = 4;
  CHECK(error_of(claims, relation, 1).find("does not have") != std::string::npos);
  claims.candidates[1].edges.clear();
  claims.candidates[1].coordinates.pop_back();
  CHECK(error_of(claims, relation, 1).find("does not have") != std::string::npos);
}

TEST_CASE("which claims and which candidates there are follows from the uses and the ranks") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  CHECK(claims_compete(relation_of(claiming, false), 2));
  CHECK_FALSE(claims_compete(relation_of(claiming, false), 1));
  CHECK_FALSE(claims_compete(relation_of(reading, false), 2));
  auto projecting = claiming;
  projecting.kind = config::MappingKind::nearest_projection;
  protocol::MeshRelation candidates = three_uses(projecting, reading);
  candidates.uses[2] = protocol::use_of(projecting, "M");
  CHECK_FALSE(speaks_for_others(candidates, 0));
  CHECK(speaks_for_others(candidates, 1));
  CHECK_FALSE(speaks_for_others(candidates, 2)); // it finds the same
  CHECK(candidates_are_joined(candidates, 1));
  CHECK(contested_are_sent(candidates));
  candidates.initialization = config::Initialization::one_level;
  CHECK_FALSE(contested_are_sent(candidates));
  projecting.closest = true;
  CHECK_FALSE(contested_are_sent(relation_of(projecting, false)));
  CHECK_FALSE(contested_are_sent(relation_of(claiming, false)));
}
