// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/messages.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace isthmus::protocol {

void check_size(std::size_t size, std::size_t count, transport::Kind kind) {
  check(size == count, "a message of {} has {} values for {} vertices", transport::name(kind), size,
        count);
}

MeshSizes MeshStream::sizes() const {
  const auto& [edges, triangles, tetrahedra] = view.elements;
  return {view.coordinates.size(), {edges.size(), triangles.size(), tetrahedra.size()}};
}

std::size_t MeshStream::bytes() const {
  return bytes_in_stream(byte_arrays(view));
}

void MeshStream::write(std::size_t offset, std::span<std::byte> piece) const {
  write_piece(byte_arrays(view), offset, piece);
}

void ArrivingMesh::check_bytes(std::size_t bytes) const {
  const std::size_t expected = bytes_in_stream(byte_arrays(coordinates, elements));
  check(bytes == expected, "a mesh message has {} bytes instead of {}", bytes, expected);
}

void ArrivingMesh::read(std::size_t offset, std::span<const std::byte> piece) const {
  read_piece(byte_arrays(coordinates, elements), offset, piece);
}

void WholeMesh::write(Writer& writer, std::span<const MeshView> parts) {
  writer.put(static_cast<int>(parts.size()));
  for (const MeshView& part : parts) {
    write_arrays(writer, part);
  }
}

WholeMesh WholeMesh::read(Reader& reader, int dimensions) {
  WholeMesh mesh;
  const int ranks = reader.get<int>();
  for (int r = 0; r < ranks; ++r) {
    const MeshArrays part = read_arrays(reader, dimensions, "a mesh message");
    mesh.counts.push_back(part.num_vertices(dimensions));
    mesh.arrays.append(dimensions, part);
  }
  return mesh;
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

/// Error where a use that speaks for others has other than `count` values.
template <class Message, class Joined>
void read_uses(Reader& reader, const MeshRelation& relation, LocalIndex count, Message& message,
               Joined& joined) {
  message.lists.resize(relation.uses.size());
  joined.resize(relation.uses.size());
  pass_uses(reader, relation, message.lists, joined);
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (speaks_for_others(relation, u)) {
      check_size(message.lists[u].size(), static_cast<std::size_t>(count), Message::kind);
    }
  }
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
  read_uses(reader, relation, count, claims, claims.candidates);
  for (const CandidateElements& elements : claims.candidates) {
    check_elements(elements, relation.dimensions);
  }
  return claims;
}

void Awards::write(Writer& writer, const MeshRelation& relation) const {
  pass_uses(writer, relation, lists, choices);
}

Awards Awards::read(Reader& reader, const MeshRelation& relation, LocalIndex count) {
  Awards awards;
  read_uses(reader, relation, count, awards, awards.choices);
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
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

void PartChanges::write(Writer& writer, const MeshView& whole) {
  writer.put(true);
  write_arrays(writer, whole);
}

void PartChanges::write(Writer& writer, std::span<const LocalIndex> moved,
                        std::span<const double> coordinates) {
  writer.put(false).put_array(moved).put_array(coordinates);
}

PartChanges PartChanges::read(Reader& reader, int dimensions, LocalIndex count) {
  constexpr std::string_view name = "a message about a mesh";
  PartChanges changes;
  changes.is_whole = reader.get<bool>();
  if (changes.is_whole) {
    changes.whole = read_arrays(reader, dimensions, name);
    return changes;
  }
  changes.moved = reader.get_array<LocalIndex>();
  changes.coordinates = reader.get_array<double>();
  check_corners(name, changes.moved, count);
  check(changes.coordinates.size() == changes.moved.size() * static_cast<std::size_t>(dimensions),
        "a message about moved vertices is too short");
  return changes;
}

namespace {

std::vector<LocalIndex> minus(std::span<const LocalIndex> a, std::span<const LocalIndex> b) {
  std::vector<LocalIndex> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

/// A list of ascending numbers as its difference from the one before.
std::vector<std::byte> difference(std::span<const LocalIndex> before,
                                  std::span<const LocalIndex> now) {
  return Writer().put_array(minus(before, now)).put_array(minus(now, before)).take();
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
  const bool is_remembered = plan_is_remembered(relation);
  if (is_remembered && now == positions) {
    return keep();
  }
  differs = true;
  const std::vector<LocalIndex> before = std::exchange(positions, std::move(now));
  if (is_remembered) {
    return difference(before, positions);
  }
  return Writer().put_array(positions).take();
}

std::vector<std::byte> Read::keep() {
  differs = false;
  return difference({}, {});
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

void Bundle::write(Writer& writer) const {
  for (const std::vector<std::byte>& piece : pieces) {
    writer.put_array(piece);
  }
}

Bundle Bundle::read(Reader& reader) {
  Bundle bundle;
  do {
    bundle.pieces.push_back(reader.get_array<std::byte>());
  } while (reader.left() > 0);
  return bundle;
}

namespace {

template <class Predicate>
bool any_use(const MeshRelation& relation, Predicate is_so) {
  return std::any_of(relation.uses.begin(), relation.uses.end(), is_so);
}

} // namespace

bool mappings_are_chosen(const MeshRelation& relation) {
  return any_use(relation, [](const MappingUse& use) { return use.is_automatic(); });
}

bool margin_has_limit(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && !relation.sends_everything() && relation.sends_regions() &&
         relation.initialization != config::Initialization::one_level;
}

bool surveys_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return margin_has_limit(relation, receiver_ranks) &&
         any_use(relation, [](const MappingUse& use) { return use.is_surveyed(); });
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

std::vector<Weighing> weighings_of(const MeshRelation& relation) {
  std::vector<Weighing> weighings;
  for (const Weighing what : {Weighing::surface, Weighing::volume, Weighing::action}) {
    const bool is_scaled = any_use(
        relation, [what](const MappingUse& use) { return use.scaled() && use.weighing() == what; });
    if (what == Weighing::action ? relation.is_weighed : is_scaled) {
      weighings.push_back(what);
    }
  }
  return weighings;
}

bool measures_are_sent(const MeshRelation& relation) {
  return !weighings_of(relation).empty();
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
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (candidates_are_joined(relation, u)) {
      return relation.initialization != config::Initialization::one_level;
    }
  }
  return false;
}

bool owners_matter(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.writes && use.searches_received && !use.solves();
}

bool vertices_are_joined(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.is_joined;
}

bool vertices_are_joined(const MeshRelation& relation, int receiver_ranks) {
  return any_use(relation, [receiver_ranks](const MappingUse& use) {
    return vertices_are_joined(use, receiver_ranks);
  });
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

} // namespace isthmus::protocol
