// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/messages.hpp"

#include "isthmus/base/wire.hpp"
#include "message_of.hpp"
#include "protocol/relations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::protocol;
using config::Constraint;

namespace {

/// As another rank reads it. A message that lacks a byte is refused, as is one that has one more.
template <class Message, class... How>
Message read_exactly(std::vector<std::byte> bytes, const How&... how) {
  const Message read = read_message<Message>(bytes, how...);
  CHECK(message_of([&] {
          static_cast<void>(
              read_message<Message>(std::span(bytes).first(bytes.size() - 1), how...));
        }).find("too short") != std::string::npos);
  bytes.push_back({});
  CHECK(message_of([&] {
          static_cast<void>(read_message<Message>(bytes, how...));
        }).find("a message is too") != std::string::npos);
  return read;
}

template <class Message, class... How>
Message arrived(const Message& message, const How&... how) {
  return read_exactly<Message>(bytes_of(message), how...);
}

/// What its error says.
template <class Message, class... How>
std::string refusal_of(std::vector<std::byte> bytes, const How&... how) {
  return message_of([&] { static_cast<void>(read_message<Message>(bytes, how...)); });
}

/// Three vertices of a plane, an edge and a triangle.
struct Corner {
  std::vector<double> coordinates{0, 0, 1, 0, 0, 1};
  std::vector<LocalIndex> edges{0, 1};
  std::vector<LocalIndex> triangles{0, 1, 2};

  [[nodiscard]] MeshView view() const { return {coordinates, {edges, triangles, {}}}; }
};

std::vector<std::byte> whole_mesh(std::span<const MeshView> parts) {
  Writer writer;
  WholeMesh::write(writer, parts);
  return writer.take();
}

template <class... What>
std::vector<std::byte> part_changes(const What&... what) {
  Writer writer;
  PartChanges::write(writer, what...);
  return writer.take();
}

} // namespace

TEST_CASE("a message arrives as it was sent, and a damaged one is refused") {
  const Facts facts = arrived(FactsOfMeshes{{{}, {1, 2, 3, 4, 5}}}).list.at(1);
  CHECK(facts.vertices == 1);
  CHECK(facts.tetrahedra == 4);
  CHECK(facts.duplicates == 5);
  MeshExtent extent;
  extent.box.expand(geometry::Point{1, 2, 3});
  extent.num_vertices = 4;
  extent.filled = 5;
  extent.spacing = 6;
  extent.num_ranks = 7;
  extent.keeps = true;
  const MeshExtent other = arrived(extent);
  CHECK(other.box.hi == geometry::Point{1, 2, 3});
  CHECK(other.num_vertices == 4);
  CHECK(other.filled == 5);
  CHECK(other.spacing == 6);
  CHECK(other.num_ranks == 7);
  CHECK(other.keeps);
  const std::vector<Survey> surveys{{}, {0.5, {std::byte{1}, std::byte{2}}}};
  CHECK(arrived(Surveys{surveys}).list == surveys);
  CHECK(read_message<Surveys>({}).list.empty()); // what the receiver says
  CHECK(arrived(Farthest{0.25}).distance == 0.25);
  const geometry::Box box{{0, 1, 2}, {3, 4, 5}};
  CHECK(arrived(Region{{box}}).list.at(0).hi == box.hi);
  CHECK(arrived(WantedShare{{box}}).list.at(0).lo == box.lo);
  CHECK(arrived(SentShare{{{1, 2}}}).list.size() == 1);
  CHECK(arrived(Contested{{0, 1}}).list == std::vector<char>{0, 1});
  CHECK(arrived(Contributed{{3, 1}}).list == std::vector<LocalIndex>{3, 1});
  CHECK(arrived(Owners{{{1, 2}}}).list.at(0).vertex == 2);
  CHECK(arrived(Written{{3}}).list == std::vector<LocalIndex>{3});
  CHECK(arrived(ReadByLower{{1}}).list == std::vector<char>{1});
  const Measured measured =
      arrived(Measured{{{2, {0.5, 1.5}}, {3, {4, 5}}}}, std::size_t{2}, LocalIndex{2});
  CHECK(measured.list[0].total == 2);
  CHECK(measured.list[0].vertices == std::vector{0.5, 1.5});
  CHECK(measured.list[1].vertices == std::vector<double>{4, 5});
}

TEST_CASE("a list of vertices is refused where it has other than one value for each") {
  for (const std::size_t count : {1, 3}) {
    const std::string has_two = " has 2 values for " + std::to_string(count) + " vertices";
    CHECK(message_of([&] {
            arrived(ReadByLower{{0, 1}}, count);
          }) == "a message of read by lower ranks" + has_two);
    CHECK(message_of([&] {
            arrived(Contested{{0, 1}}, count);
          }) == "a message of contested" + has_two);
    CHECK(message_of([&] {
            arrived(Owners{{{1, 2}, {0, 3}}}, count);
          }) == "a message of owners" + has_two);
    CHECK(message_of([&] {
            arrived(Measured{{{1, {1, 2}}}}, std::size_t{1}, static_cast<LocalIndex>(count));
          }) == "a message of measures" + has_two);
  }
  CHECK(arrived(ReadByLower{{0, 1}}, std::size_t{2}).list.size() == 2);
}

TEST_CASE("the messages of a relation follow from its uses and the ranks of the receiver") {
  const auto claiming = nearest_neighbor(true, Constraint::consistent);
  const auto adding = nearest_neighbor(true, Constraint::conservative);
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  CHECK(owners_matter(relation_of(adding, false).uses[0], 2));
  CHECK_FALSE(owners_matter(relation_of(adding, false).uses[0], 1));
  CHECK_FALSE(owners_matter(relation_of(claiming, false).uses[0], 2));
  MeshRelation measured = relation_of(reading, false);
  CHECK_FALSE(ghosts_are_marked(measured, 2));
  measured.is_measured = true;
  CHECK(ghosts_are_marked(measured, 2));
  CHECK_FALSE(ghosts_are_marked(measured, 1));
}

TEST_CASE("shares, regions, surveys and farthest answers travel between several ranks alone") {
  config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
  MeshRelation relation = relation_of(mapping, false);
  CHECK_FALSE(margin_has_limit(relation, 1));
  CHECK(margin_has_limit(relation, 2));
  CHECK_FALSE(surveys_are_sent(relation, 2));
  CHECK_FALSE(shares_are_sent(relation, 2));
  CHECK(regions_are_sent(relation, 2));
  CHECK_FALSE(share_is_named(relation, 2));
  relation.initialization = config::Initialization::one_level;
  CHECK_FALSE(margin_has_limit(relation, 2));
  mapping.kind = config::MappingKind::rbf_pum_direct;
  const MeshRelation clusters = relation_of(mapping, false);
  CHECK(surveys_are_sent(clusters, 2));
  CHECK_FALSE(surveys_are_sent(clusters, 1));
  mapping.kind = config::MappingKind::rbf_global_iterative;
  MeshRelation system = relation_of(mapping, false);
  CHECK(shares_are_sent(system, 2));
  CHECK_FALSE(regions_are_sent(system, 2));
  CHECK_FALSE(margin_has_limit(system, 2));
  CHECK_FALSE(shares_are_sent(system, 1));
  CHECK(regions_are_sent(system, 1));
  const config::Mapping nearest = nearest_neighbor(false, Constraint::consistent);
  system.uses.push_back(relation_of(nearest, false).uses[0]);
  CHECK(share_is_named(system, 2));
  CHECK_FALSE(share_is_named(system, 1));
}

TEST_CASE("facts travel where a mapping is automatic, measures where somebody weights by them") {
  config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
  MeshRelation relation = relation_of(mapping, false);
  CHECK_FALSE(mappings_are_chosen(relation));
  CHECK(weighings_of(relation).empty());
  relation.is_weighed = true;
  CHECK(weighings_of(relation) == std::vector{Weighing::action});
  mapping.constraint = Constraint::scaled_consistent_volume;
  relation.uses = {use_of(mapping, "M")};
  CHECK(weighings_of(relation) == std::vector{Weighing::volume, Weighing::action});
  mapping.constraint = Constraint::scaled_consistent_surface;
  CHECK(weighings_of(relation_of(mapping, false)) == std::vector{Weighing::surface});
  mapping.kind = config::MappingKind::automatic;
  CHECK(mappings_are_chosen(relation_of(mapping, false)));
}

TEST_CASE("a plan is remembered where a changed one leaves out no message that it needs") {
  using isthmus::config::MappingKind;
  const auto remembered = [](const config::Mapping& mapping, auto change) {
    MeshRelation relation = relation_of(mapping, true);
    change(relation);
    const bool is_remembered = plan_is_remembered(relation);
    if (is_remembered) { // whatever the ranks of the receiver
      CHECK_FALSE(claims_compete(relation, 2));
      CHECK_FALSE(whole_mesh_is_dealt(relation, 2));
      for (const MappingUse& use : relation.uses) {
        CHECK_FALSE((owners_matter(use, 2) || writes_alone(use, 2) || vertices_are_joined(use, 2)));
        CHECK_FALSE(use.scaled());
      }
    }
    CHECK(changes_may_be_small(relation) == (is_remembered && !ghosts_are_marked(relation, 2)));
    return is_remembered;
  };
  const auto as_it_is = [](MeshRelation&) {};
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  CHECK(remembered(reading, as_it_is));
  CHECK(remembered(reading, [](MeshRelation& r) { r.is_measured = true; }));
  CHECK_FALSE(remembered(reading, [](MeshRelation& r) { r.may_change = false; }));
  CHECK_FALSE(remembered(reading, [](MeshRelation& r) { r.is_weighed = true; }));
  CHECK_FALSE(remembered(reading, [](MeshRelation& r) { r.uses.clear(); }));
  CHECK_FALSE(remembered(
      reading, [](MeshRelation& r) { r.initialization = config::Initialization::one_level; }));
  for (const Constraint constraint :
       {Constraint::consistent, Constraint::conservative, Constraint::scaled_consistent_surface}) {
    CHECK_FALSE(remembered(nearest_neighbor(true, constraint), as_it_is));
    CHECK(remembered(nearest_neighbor(false, constraint), as_it_is) ==
          (constraint == Constraint::consistent));
  }
  for (const MappingKind kind :
       {MappingKind::nearest_projection, MappingKind::rbf_pum_direct,
        MappingKind::rbf_global_direct, MappingKind::rbf_global_iterative}) {
    config::Mapping mapping = reading;
    mapping.kind = kind;
    const bool solves = use_of(mapping, "M").solves(); // over all ranks together
    CHECK(remembered(mapping, as_it_is) == !solves);
  }
}

TEST_CASE("what is read is known to both sides after each message") {
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  for (const bool is_remembered : {false, true}) {
    const MeshRelation relation = relation_of(reading, is_remembered);
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
    std::vector<std::byte> longer = receiver.change(relation, {1});
    longer.push_back({});
    CHECK(message_of([&] { provider.update(relation, longer); }) ==
          "a message is too long by 1 bytes");
    if (is_remembered) {
      provider.update(relation, receiver.change(relation, {3}));
      provider.update(relation, receiver.keep());
      CHECK(provider.positions == std::vector<LocalIndex>{3});
      CHECK_FALSE(provider.differs);
    }
  }
}

TEST_CASE("a list is made of the one before and the difference") {
  const auto reading = nearest_neighbor(false, Constraint::consistent);
  const MeshRelation relation = relation_of(reading, true);
  std::mt19937 random(3);
  const auto draw = [&random] {
    std::set<LocalIndex> numbers;
    for (unsigned i = random() % 20; i > 0; --i) {
      numbers.insert(static_cast<LocalIndex>(random() % 30));
    }
    return std::vector<LocalIndex>(numbers.begin(), numbers.end());
  };
  Read receiver;
  Read provider;
  for (int i = 0; i < 200; ++i) {
    const std::vector<LocalIndex> before = receiver.positions;
    const std::vector<LocalIndex> now = i % 5 == 0 ? before : draw();
    provider.update(relation, receiver.change(relation, now));
    CHECK(receiver.differs == (before != now));
    CHECK(provider.differs == (before != now));
    CHECK(provider.positions == now);
  }
}

TEST_CASE("arrays of a mesh are a stream of words, whatever the pieces in which it comes") {
  const Corner corner;
  const MeshStream stream{corner.view()};
  const MeshSizes sizes = arrived(stream.sizes());
  CHECK(sizes.coordinates == 6);
  CHECK(sizes.elements == std::array<std::uint64_t, 3>{2, 3, 0});
  Writer writer;
  for (const double x : corner.coordinates) {
    writer.put(x);
  }
  for (const LocalIndex vertex : {0, 1, 0, 1, 2, 0}) { // the last one fills a word
    writer.put(vertex);
  }
  const std::vector<std::byte> whole = writer.take();
  REQUIRE(stream.bytes() == whole.size());
  for (std::size_t most = 8; most <= whole.size(); most += 8) {
    std::vector<std::byte> written(whole.size());
    Corner other{std::vector<double>(6), std::vector<LocalIndex>(2), std::vector<LocalIndex>(3)};
    const ArrivingMesh arriving{other.coordinates, {other.edges, other.triangles, {}}};
    arriving.check_bytes(whole.size());
    for (std::size_t offset = 0; offset < whole.size(); offset += most) {
      const std::size_t size = std::min(most, whole.size() - offset);
      stream.write(offset, std::span(written).subspan(offset, size));
      arriving.read(offset, std::span(whole).subspan(offset, size));
    }
    CHECK(written == whole);
    CHECK(other.coordinates == corner.coordinates);
    CHECK(other.edges == corner.edges);
    CHECK(other.triangles == corner.triangles);
    CHECK(message_of([&] { arriving.check_bytes(whole.size() - 8); }) ==
          "a mesh message has 64 bytes instead of 72");
  }
}

TEST_CASE("the parts of a whole mesh arrive, and are refused where a corner is not there") {
  Corner corner;
  const auto whole =
      read_exactly<WholeMesh>(whole_mesh(std::vector{corner.view(), {}, corner.view()}), 2);
  CHECK(whole.counts == std::vector<LocalIndex>{3, 0, 3});
  CHECK(whole.arrays.coordinates.size() == 12);
  CHECK(whole.arrays.elements[0] == std::vector<LocalIndex>{0, 1, 3, 4});
  CHECK(whole.arrays.elements[1] == std::vector<LocalIndex>{0, 1, 2, 3, 4, 5});
  corner.edges = {0, 3}; // a vertex of another part
  CHECK(refusal_of<WholeMesh>(whole_mesh(std::vector{corner.view(), corner.view()}), 2) ==
        "a mesh message names a vertex that it does not have");
}

TEST_CASE("what has changed of a part arrives, and is refused where it is of no such part") {
  constexpr LocalIndex count = 4;
  const std::vector<LocalIndex> vertices{1, 3};
  const std::vector<double> coordinates{0, 1, 2, 3};
  const auto moved = read_exactly<PartChanges>(part_changes(vertices, coordinates), 2, count);
  CHECK_FALSE(moved.is_whole);
  CHECK(moved.moved == vertices);
  CHECK(moved.coordinates == coordinates);
  const std::string names_none = "a message about a mesh names a vertex that it does not have";
  for (const LocalIndex none : {-1, 4}) {
    CHECK(refusal_of<PartChanges>(part_changes(std::vector{none, 1}, coordinates), 2, count) ==
          names_none);
  }
  CHECK(refusal_of<PartChanges>(part_changes(vertices, coordinates), 3, count) ==
        "a message about moved vertices is too short");
  Corner corner;
  const auto another = read_exactly<PartChanges>(part_changes(corner.view()), 2, count);
  CHECK(another.is_whole);
  CHECK(another.whole.coordinates == corner.coordinates);
  CHECK(another.whole.elements[1] == corner.triangles);
  corner.triangles = {0, 1, 3}; // of the part as it was
  CHECK(refusal_of<PartChanges>(part_changes(corner.view()), 2, count) == names_none);
}

TEST_CASE("pieces of small changes arrive in their order, and there is one at least") {
  const std::vector<std::vector<std::byte>> pieces{
      {std::byte{1}, std::byte{2}}, {}, {std::byte{3}}};
  CHECK(arrived(Bundle{pieces}).pieces == pieces);
  CHECK(refusal_of<Bundle>({}).find("too short") != std::string::npos);
}
