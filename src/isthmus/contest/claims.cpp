// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/contest/claims.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"

#include <algorithm>

namespace isthmus::contest {

bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.has_claims();
}

bool speaks_for_others(const transfer::MeshRelation& relation, std::size_t use) {
  return relation.uses[use].claims() && relation.first_alike(use) == use;
}

bool candidates_are_joined(const transfer::MeshRelation& relation, std::size_t use) {
  return relation.uses[use].has_candidates() && speaks_for_others(relation, use);
}

bool contested_are_sent(const transfer::MeshRelation& relation) {
  bool are_joined = false;
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    are_joined = are_joined || candidates_are_joined(relation, u);
  }
  return are_joined && relation.initialization != config::Initialization::one_level;
}

namespace {

template <Plain T>
std::vector<T> read_list(Reader& reader, LocalIndex count, transport::Kind kind) {
  std::vector<T> list = reader.get_array<T>();
  check(list.size() == static_cast<std::size_t>(count),
        "a message of {} has {} values for {} vertices", transport::name(kind), list.size(), count);
  return list;
}

CandidateElements read_elements(Reader& reader, int dimensions) {
  CandidateElements elements;
  elements.vertices = reader.get_array<LocalIndex>();
  elements.coordinates = reader.get_array<double>();
  elements.edges = reader.get_array<LocalIndex>();
  elements.triangles = reader.get_array<LocalIndex>();
  const std::size_t count = elements.vertices.size();
  const auto is_there = [count](LocalIndex v) {
    return v >= 0 && static_cast<std::size_t>(v) < count;
  };
  check(elements.coordinates.size() == count * static_cast<std::size_t>(dimensions) &&
            elements.edges.size() % 2 == 0 && elements.triangles.size() % 3 == 0 &&
            std::all_of(elements.edges.begin(), elements.edges.end(), is_there) &&
            std::all_of(elements.triangles.begin(), elements.triangles.end(), is_there),
        "a message of claims names a vertex that it does not hold");
  return elements;
}

} // namespace

void Claims::write(Writer& writer, const transfer::MeshRelation& relation) const {
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      writer.put_array(lists[u]);
    }
    if (candidates_are_joined(relation, u)) {
      writer.put_array(candidates[u].vertices);
      writer.put_array(candidates[u].coordinates);
      writer.put_array(candidates[u].edges);
      writer.put_array(candidates[u].triangles);
    }
  }
}

Claims Claims::read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count) {
  Claims claims;
  claims.lists.resize(relation.uses.size());
  claims.candidates.resize(relation.uses.size());
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      claims.lists[u] = read_list<Claim>(reader, count, kind);
    }
    if (candidates_are_joined(relation, u)) {
      claims.candidates[u] = read_elements(reader, relation.dimensions);
    }
  }
  return claims;
}

void Awards::write(Writer& writer, const transfer::MeshRelation& relation) const {
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      writer.put_array(lists[u]);
    }
    if (candidates_are_joined(relation, u)) {
      writer.put_array(choices[u]);
    }
  }
}

Awards Awards::read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count) {
  Awards awards;
  awards.lists.resize(relation.uses.size());
  awards.choices.resize(relation.uses.size());
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      awards.lists[u] = read_list<Award>(reader, count, kind);
    }
    if (candidates_are_joined(relation, u)) {
      const auto chosen =
          std::count(awards.lists[u].begin(), awards.lists[u].end(), Award::as_chosen);
      awards.choices[u] =
          read_list<geometry::Projection>(reader, static_cast<LocalIndex>(chosen), kind);
    }
  }
  return awards;
}

} // namespace isthmus::contest
