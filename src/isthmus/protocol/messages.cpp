// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/messages.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace isthmus::protocol {

namespace {

bool is_weighed_by(const MeshRelation& relation, Weighing what) {
  return what == Weighing::action ? relation.is_weighed
                                  : std::any_of(relation.uses.begin(), relation.uses.end(),
                                                [what](const MappingUse& use) {
                                                  return use.scaled() && weighing_of(use) == what;
                                                });
}

} // namespace

bool mappings_are_chosen(const MeshRelation& relation) {
  return std::any_of(relation.uses.begin(), relation.uses.end(),
                     [](const MappingUse& use) { return use.is_automatic(); });
}

bool margin_has_limit(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && !relation.sends_everything() && relation.sends_regions() &&
         relation.initialization != config::Initialization::one_level;
}

bool surveys_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return margin_has_limit(relation, receiver_ranks) &&
         std::any_of(relation.uses.begin(), relation.uses.end(),
                     [](const MappingUse& use) { return use.is_surveyed(); });
}

bool shares_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.sends_shares();
}

bool regions_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return !shares_are_sent(relation, receiver_ranks) || relation.sends_regions();
}

bool share_is_named(const MeshRelation& relation, int receiver_ranks) {
  return shares_are_sent(relation, receiver_ranks) && regions_are_sent(relation, receiver_ranks);
}

Weighing weighing_of(const MappingUse& use) {
  return use.mapping->constraint == config::Constraint::scaled_consistent_volume
             ? Weighing::volume
             : Weighing::surface;
}

std::vector<Weighing> weighings_of(const MeshRelation& relation) {
  std::vector<Weighing> weighings;
  for (const Weighing what : {Weighing::surface, Weighing::volume, Weighing::action}) {
    if (is_weighed_by(relation, what)) {
      weighings.push_back(what);
    }
  }
  return weighings;
}

bool whole_mesh_is_dealt(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.initialization == config::Initialization::one_level;
}

bool claims_compete(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.has_claims();
}

bool speaks_for_others(const MeshRelation& relation, std::size_t use) {
  return relation.uses[use].claims() && relation.first_alike(use) == use;
}

bool candidates_are_joined(const MeshRelation& relation, std::size_t use) {
  return relation.uses[use].has_candidates() && speaks_for_others(relation, use);
}

bool contested_are_sent(const MeshRelation& relation) {
  bool are_joined = false;
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    are_joined = are_joined || candidates_are_joined(relation, u);
  }
  return are_joined && relation.initialization != config::Initialization::one_level;
}

bool owners_matter(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.writes && use.searches_received && !use.solves();
}

bool vertices_are_joined(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.is_joined;
}

bool writes_alone(const MappingUse& use, int receiver_ranks) {
  return use.writes && !vertices_are_joined(use, receiver_ranks);
}

bool ghosts_are_marked(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.is_measured;
}

bool plan_is_remembered(const MeshRelation& relation) {
  constexpr int several = 2; // ranks of the receiver; one could do with less
  const bool has_parts = !whole_mesh_is_dealt(relation, several); // 2, of which changes can be said
  const bool is_placed_by_itself = !claims_compete(relation, several); // no 3, no 4
  return relation.may_change && has_parts && is_placed_by_itself && !relation.is_weighed &&
         !relation.uses.empty() &&
         std::all_of(relation.uses.begin(), relation.uses.end(), [](const MappingUse& use) {
           const bool only_reads = !use.writes; // no 5, 6, 7
           // the last search can be gone on from: of own vertices one by one
           const bool goes_on =
               use.searches_received && !use.direct && !use.gathers() && !use.solves();
           return only_reads && goes_on && !use.scaled(); // no Measured
         });
}

bool changes_may_be_small(const MeshRelation& relation) {
  return plan_is_remembered(relation) && !relation.is_measured; // no 9
}

void check_size(std::size_t size, std::size_t count, transport::Kind kind) {
  check(size == count, "a message of {} has {} values for {} vertices", transport::name(kind), size,
        count);
}

namespace {

template <Plain T>
void pass(Writer& writer, const std::vector<T>& list) {
  writer.put_array(list);
}

template <Plain T>
void pass(Reader& reader, std::vector<T>& list) {
  list = reader.get_array<T>();
}

template <class Stream, class Elements>
requires std::same_as<std::remove_const_t<Elements>, CandidateElements>
void pass(Stream& stream, Elements& elements) {
  pass(stream, elements.vertices);
  pass(stream, elements.coordinates);
  pass(stream, elements.edges);
  pass(stream, elements.triangles);
}

/// What travels of claims or awards, in the order of writer and reader: `lists` of the uses that
/// speak for others, and `joined` where candidates are.
template <class Stream, class Lists, class Joined>
void pass_uses(Stream& stream, const MeshRelation& relation, Lists& lists, Joined& joined) {
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      pass(stream, lists[u]);
    }
    if (candidates_are_joined(relation, u)) {
      pass(stream, joined[u]);
    }
  }
}

template <class Lists, class Joined>
void read_uses(Reader& reader, const MeshRelation& relation, Lists& lists, Joined& joined) {
  lists.resize(relation.uses.size());
  joined.resize(relation.uses.size());
  pass_uses(reader, relation, lists, joined);
}

void check_elements(const CandidateElements& elements, int dimensions) {
  constexpr std::string_view name = "a message of claims";
  const std::size_t count = elements.vertices.size();
  check(elements.coordinates.size() == count * static_cast<std::size_t>(dimensions) &&
            elements.edges.size() % 2 == 0 && elements.triangles.size() % 3 == 0,
        "{} names a vertex that it does not have", name);
  check_corners(name, elements.edges, static_cast<LocalIndex>(count));
  check_corners(name, elements.triangles, static_cast<LocalIndex>(count));
}

} // namespace

void Claims::write(Writer& writer, const MeshRelation& relation) const {
  pass_uses(writer, relation, lists, candidates);
}

Claims Claims::read(Reader& reader, const MeshRelation& relation, LocalIndex count) {
  Claims claims;
  read_uses(reader, relation, claims.lists, claims.candidates);
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      check_size(claims.lists[u].size(), static_cast<std::size_t>(count), kind);
    }
    check_elements(claims.candidates[u], relation.dimensions);
  }
  return claims;
}

void Awards::write(Writer& writer, const MeshRelation& relation) const {
  pass_uses(writer, relation, lists, choices);
}

Awards Awards::read(Reader& reader, const MeshRelation& relation, LocalIndex count) {
  Awards awards;
  read_uses(reader, relation, awards.lists, awards.choices);
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      check_size(awards.lists[u].size(), static_cast<std::size_t>(count), kind);
    }
    if (candidates_are_joined(relation, u)) {
      const auto chosen =
          std::count(awards.lists[u].begin(), awards.lists[u].end(), Award::as_chosen);
      check_size(awards.choices[u].size(), static_cast<std::size_t>(chosen), kind);
    }
  }
  return awards;
}

void Surveys::write(Writer& writer) const {
  for (const Survey& survey : list) {
    writer.put(survey.reach).put_array(survey.facts);
  }
}

Surveys Surveys::read(Reader& reader) {
  Surveys surveys;
  while (reader.left() > 0) {
    Survey& survey = surveys.list.emplace_back();
    survey.reach = reader.get<double>();
    survey.facts = reader.get_array<std::byte>();
  }
  return surveys;
}

void Measured::write(Writer& writer) const {
  for (const One& one : list) {
    writer.put(one.total).put_array(one.vertices);
  }
}

Measured Measured::read(Reader& reader, std::size_t weighings, LocalIndex count) {
  Measured measured;
  for (std::size_t i = 0; i < weighings; ++i) {
    One& one = measured.list.emplace_back();
    one.total = reader.get<double>();
    one.vertices = reader.get_array<double>();
    check_size(one.vertices.size(), static_cast<std::size_t>(count), kind);
  }
  return measured;
}

namespace {

std::vector<LocalIndex> minus(std::span<const LocalIndex> a, std::span<const LocalIndex> b) {
  std::vector<LocalIndex> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

/// A list of ascending numbers as its difference from the one before. Returns whether they differ.
bool write_difference(Writer& writer, std::span<const LocalIndex> before,
                      std::span<const LocalIndex> now) {
  const std::vector<LocalIndex> gone = minus(before, now);
  const std::vector<LocalIndex> added = minus(now, before);
  writer.put_array(gone).put_array(added);
  return !gone.empty() || !added.empty();
}

/// Makes the new list of the one before. Returns whether they differ.
bool read_difference(Reader& reader, std::vector<LocalIndex>& list) {
  const auto gone = reader.get_array<LocalIndex>();
  const auto added = reader.get_array<LocalIndex>();
  if (gone.empty() && added.empty()) {
    return false;
  }
  const std::vector<LocalIndex> kept = minus(list, gone);
  list.clear();
  std::merge(kept.begin(), kept.end(), added.begin(), added.end(), std::back_inserter(list));
  return true;
}

} // namespace

std::vector<std::byte> Read::change(const MeshRelation& relation, std::vector<LocalIndex> now) {
  Writer writer;
  if (plan_is_remembered(relation)) {
    differs = write_difference(writer, positions, now);
  } else {
    differs = true;
    writer.put_array(now);
  }
  positions = std::move(now);
  return writer.take();
}

std::vector<std::byte> Read::keep() {
  Writer writer;
  differs = write_difference(writer, {}, {});
  return writer.take();
}

void Read::update(const MeshRelation& relation, std::span<const std::byte> message) {
  Reader reader(message);
  if (plan_is_remembered(relation)) {
    differs = read_difference(reader, positions);
  } else {
    differs = true;
    positions = reader.get_array<LocalIndex>();
  }
  reader.finish();
}

} // namespace isthmus::protocol
