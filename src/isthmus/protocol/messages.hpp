// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/transport/frame.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::protocol {

// The planning protocol: what one rank of the provider of a mesh (P) and one rank of its receiver
// (R) say to each other until both know whose values travel. In this order, for each mesh relation;
// the kind that travels stands behind each message:
//
//      between the first ranks, both ways, by Connection::swap():
//        FactsOfMeshes  facts           where mappings_are_chosen(); before the first plan only
//                                       (choose_mappings())
//        MeshExtent     extent          gives the margin (planning/search/margin)
//        Surveys        surveys         P of the whole mesh, R nothing; where
//                                       surveys_are_sent() (planning/search/margin)
//   1  R -> P  Region       boxes         where vertices matter to R; an empty list unless
//                                         regions_are_sent()
//      R -> P  WantedShare  wanted_share  numbers of vertices, as a box on an axis; where
//                                         shares_are_sent()
//   2  P -> R  MeshSizes    mesh_sizes    how many vertices and elements lie there or are the share
//      P -> R  MeshStream   mesh_arrays   these, into an ArrivingMesh (transfer/mesh_transfer)
//      P -> R  SentShare    sent_share    which of them are the share; where
//                                         share_is_named()
//      P -> R  Contested    contested     which of them other ranks get, too; where
//                                         contested_are_sent() and claims_compete()
//   3  R -> P  Claims       claims        how well R can place each of them, and the elements that
//                                         are candidates for contested ones; where claims_compete()
//      both first ranks, by Connection::swap():
//        Farthest       farthest        how far away the farthest answer is, where
//                                       margin_has_limit(); 1 to 3 again with a larger one until
//                                       all answers lie within it
//      P -> R  Measured     measures      of the elements around each; where
//                                         measures_are_sent() (planning/measures)
//   4  P -> R  Awards       awards        which of them R may place, and where if P has chosen
//                                         among the candidates of all ranks; where
//                                         claims_compete()
//      for each use that writes:
//   5  R -> P  Contributed  contributions to which of them R adds; where owners_matter()
//   6  P -> R  Owners       owners        which rank of the receiver sums up each; where
//                                         owners_matter()
//   7  R -> P  Written      written       which of them R writes in each step; where writes_alone()
//      5 and 6 once for all of them together, then 7 for each, where vertices_are_joined()
//   8  R -> P  Read         read          which of them R reads in each step
//   9  P -> R  ReadByLower  read_by_lower which of these a lower rank reads, too; where
//                                         ghosts_are_marked()
//
// Positions count the vertices of message 2, from 0. Where whole_mesh_is_dealt(), WholeMesh
// (whole_mesh) between the first ranks takes the place of 1 and 2. Where plan_is_remembered(), 8
// says what differs from the last plan, and a changed plan has in the place of 2 what has changed
// of it since, PartChanges (part_changes), and nothing of 1 and 3 to 7 but Farthest. Where
// changes_may_be_small(), those of a few vertices travel alone, PartChanges and 8 as pieces of a
// Bundle (changes), between those whom they concern (transfer/bundles).

/// Error where a message has another number of values than it is to have, one for each of `count`
/// vertices.
void check_size(std::size_t size, std::size_t count, transport::Kind kind);

/// One list of values.
template <Plain T, transport::Kind number>
struct ListMessage {
  static constexpr transport::Kind kind = number;
  std::vector<T> list;

  void write(Writer& writer) const { writer.put_array(list); }
  static ListMessage read(Reader& reader) { return {reader.get_array<T>()}; }
  /// Error where there are other than `count` of them.
  static ListMessage read(Reader& reader, std::size_t count) {
    ListMessage message = read(reader);
    check_size(message.list.size(), count, kind);
    return message;
  }
};

/// What is known of a mesh where a mapping is automatic, over all ranks.
struct Facts {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  std::int64_t triangles = 0;
  std::int64_t tetrahedra = 0;
  std::int64_t duplicates = 0; // vertices at the place of another; counted only without elements

  /// Lines in 2D, triangles in 3D.
  [[nodiscard]] std::int64_t surface(int dimensions) const {
    return dimensions == 2 ? edges : triangles;
  }
  /// Triangles in 2D, tetrahedra in 3D.
  [[nodiscard]] std::int64_t volume(int dimensions) const {
    return dimensions == 2 ? triangles : tetrahedra;
  }
};

using FactsOfMeshes = ListMessage<Facts, transport::Kind::facts>;

/// What a participant sends its partner about the meshes that take part in a relation, over all of
/// its ranks.
struct MeshExtent {
  static constexpr transport::Kind kind = transport::Kind::extent;
  geometry::Box box;
  std::int64_t num_vertices = 0;
  std::uint64_t filled = 0; // bit i: mesh i has vertices; of further ones nobody asks
  double spacing = 0; // typical distance between neighbouring vertices, the largest of any rank
  int num_ranks = 1;
  bool keeps = false; // all ranks can go on from what they remember of the last plan

  void write(Writer& writer) const { writer.put(*this); }
  static MeshExtent read(Reader& reader) { return reader.get<MeshExtent>(); }
};

/// What a mapping has to know of a mesh of which each rank searches a part.
struct Survey {
  double reach = 0; // up to this distance nothing may be missed, as far as is known before
  std::vector<std::byte> facts;

  friend bool operator==(const Survey&, const Survey&) = default;
};

/// By use; empty from the receiver, who asks.
struct Surveys {
  static constexpr transport::Kind kind = transport::Kind::surveys;
  std::vector<Survey> list;

  void write(Writer& writer) const;
  static Surveys read(Reader& reader);
};

/// How much MeshStream brings.
struct MeshSizes {
  static constexpr transport::Kind kind = transport::Kind::mesh_sizes;
  std::uint64_t coordinates = 0;           // numbers, not vertices
  std::array<std::uint64_t, 3> elements{}; // corners, as Elements

  void write(Writer& writer) const { writer.put(*this); }
  static MeshSizes read(Reader& reader) { return reader.get<MeshSizes>(); }
};

/// A mesh or a part of one: four arrays as one stream of bytes, each padded to whole words. It is
/// written piece by piece where it leaves, straight from the arrays.
struct MeshStream {
  static constexpr transport::Kind kind = transport::Kind::mesh_arrays;
  MeshView view;

  [[nodiscard]] MeshSizes sizes() const;
  [[nodiscard]] std::size_t bytes() const;
  /// The piece that begins at `offset`, a multiple of 8.
  void write(std::size_t offset, std::span<std::byte> piece) const;
};

/// A MeshStream where it arrives: the arrays that its pieces are read into, of its sizes.
struct ArrivingMesh {
  std::span<double> coordinates;
  std::array<std::span<LocalIndex>, 3> elements;

  /// Error where it has another number of bytes.
  void check_bytes(std::size_t bytes) const;
  /// As MeshStream::write().
  void read(std::size_t offset, std::span<const std::byte> piece) const;
};

/// All parts of a mesh.
struct WholeMesh {
  static constexpr transport::Kind kind = transport::Kind::whole_mesh;
  MeshArrays arrays;              // numbered by part
  std::vector<LocalIndex> counts; // vertices of each rank of the provider

  static void write(Writer& writer, std::span<const MeshView> parts);
  /// Error where a part has elements with vertices that are not there.
  static WholeMesh read(Reader& reader, int dimensions);
};

/// Positions that follow each other.
struct Stretch {
  LocalIndex first;
  LocalIndex count;
};

/// Who sums up one vertex to which several ranks of the receiver add.
struct Ownership {
  std::int32_t owner;  // rank of the receiver
  std::int32_t vertex; // number on the provider's rank
};

using Region = ListMessage<geometry::Box, transport::Kind::boxes>;
using WantedShare = ListMessage<geometry::Box, transport::Kind::wanted_share>;
using SentShare = ListMessage<Stretch, transport::Kind::sent_share>;
using Contested = ListMessage<char, transport::Kind::contested>; // by position; 1: contested
using Contributed = ListMessage<LocalIndex, transport::Kind::contributions>; // positions
using Owners = ListMessage<Ownership, transport::Kind::owners>;    // by position contributed
using Written = ListMessage<LocalIndex, transport::Kind::written>; // positions
/// By position read; 1: a lower rank reads it, too.
using ReadByLower = ListMessage<char, transport::Kind::read_by_lower>;

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find a place for one. Each claims the vertex with what it found; the provider
// awards it.

/// How well one rank of the receiver can place one vertex of the provider.
struct Claim {
  double distance2;       // to what was found; infinite if nothing was
  geometry::Point corner; // first vertex of what was found, decides between equal distances

  [[nodiscard]] bool better_than(const Claim& other) const {
    return distance2 != other.distance2 ? distance2 < other.distance2 : corner < other.corner;
  }
};

/// Elements of one rank of the receiver, of which the provider chooses candidates.
struct CandidateElements {
  std::vector<LocalIndex> vertices;  // their numbers on that rank
  std::vector<double> coordinates;   // of these
  std::vector<LocalIndex> edges;     // pairs of positions in `vertices`
  std::vector<LocalIndex> triangles; // triples
};

/// What a rank says about vertices of message 2, by use that speaks_for_others(); nothing for the
/// other uses. Where there are candidates, it does not claim contested vertices outside of cells.
struct Claims {
  static constexpr transport::Kind kind = transport::Kind::claims;
  std::vector<std::vector<Claim>> lists; // by use and vertex
  std::vector<CandidateElements> candidates;

  void write(Writer& writer, const MeshRelation& relation) const;
  /// Error where there are other than `count` claims, or elements with vertices that are not there.
  static Claims read(Reader& reader, const MeshRelation& relation, LocalIndex count);
};

/// Distance of the farthest answer of all ranks of a participant.
struct Farthest {
  static constexpr transport::Kind kind = transport::Kind::farthest;
  double distance = 0; // infinite where there was none

  void write(Writer& writer) const { writer.put(distance); }
  static Farthest read(Reader& reader) { return {reader.get<double>()}; }
};

/// What becomes of a vertex.
enum class Award : char { no, as_claimed, as_chosen };

/// The answer, by use that speaks_for_others().
struct Awards {
  static constexpr transport::Kind kind = transport::Kind::awards;
  std::vector<std::vector<Award>> lists;                  // by use and vertex
  std::vector<std::vector<geometry::Projection>> choices; // of vertices as_chosen, in their order

  void write(Writer& writer, const MeshRelation& relation) const;
  /// Error where there are other than `count` awards, or choices are missing.
  static Awards read(Reader& reader, const MeshRelation& relation, LocalIndex count);
};

/// What the elements around each vertex measure, for each of weighings_of() the relation.
struct Measured {
  static constexpr transport::Kind kind = transport::Kind::measures;
  struct One {
    double total = 0; // of the whole mesh
    std::vector<double> vertices;
  };
  std::vector<One> list;

  void write(Writer& writer) const;
  /// For so many who weight. Error where one has other than `count` values.
  static Measured read(Reader& reader, std::size_t weighings, LocalIndex count);
};

/// What has changed of the part of a mesh that travelled before. Vertices keep their numbers where
/// as many as before are sent with the same elements; otherwise the part travels again.
struct PartChanges {
  static constexpr transport::Kind kind = transport::Kind::part_changes;
  bool is_whole = false;
  MeshArrays whole;                // if so
  std::vector<LocalIndex> moved;   // else: positions in the part
  std::vector<double> coordinates; // of those

  static void write(Writer& writer, const MeshView& whole);
  static void write(Writer& writer, std::span<const LocalIndex> moved,
                    std::span<const double> coordinates);
  /// Error where a vertex is none of the part, which had `count` of them, or lacks coordinates.
  static PartChanges read(Reader& reader, int dimensions, LocalIndex count);
};

/// Message 8, and what both sides keep of it.
struct Read {
  static constexpr transport::Kind kind = transport::Kind::read;
  std::vector<LocalIndex> positions;
  bool differs = false; // from the list before

  /// The message that makes the list `now`.
  [[nodiscard]] std::vector<std::byte> change(const MeshRelation& relation,
                                              std::vector<LocalIndex> now);
  /// The message that leaves the list as it is.
  [[nodiscard]] std::vector<std::byte> keep();
  /// What the other side said.
  void update(const MeshRelation& relation, std::span<const std::byte> message);
};

/// PartChanges, or `Read`, of several relations for one rank.
struct Bundle {
  static constexpr transport::Kind kind = transport::Kind::changes;
  std::vector<std::vector<std::byte>> pieces; // each a message by itself

  void write(Writer& writer) const;
  /// Error where there is no piece.
  static Bundle read(Reader& reader);
};

/// A mapping is automatic: it is chosen by the facts of both meshes.
[[nodiscard]] bool mappings_are_chosen(const MeshRelation& relation);
/// A rank of the receiver may have to look farther than it did. Not so where a single one gets
/// everything, as do all where a mapping needs it or with the one-level initialization, or where
/// all get nothing but shares.
[[nodiscard]] bool margin_has_limit(const MeshRelation& relation, int receiver_ranks);
/// Mappings of a part of the mesh have to know something of the whole.
[[nodiscard]] bool surveys_are_sent(const MeshRelation& relation, int receiver_ranks);
/// Each rank of the receiver gets its share of the vertices.
[[nodiscard]] bool shares_are_sent(const MeshRelation& relation, int receiver_ranks);
/// Ranks of the receiver get what lies in their regions.
[[nodiscard]] bool regions_are_sent(const MeshRelation& relation, int receiver_ranks);
/// Other vertices come with those of a share.
[[nodiscard]] bool share_is_named(const MeshRelation& relation, int receiver_ranks);
/// Who weights vertices by the elements around them, in ascending order; whether anybody does.
[[nodiscard]] std::vector<Weighing> weighings_of(const MeshRelation& relation);
[[nodiscard]] bool measures_are_sent(const MeshRelation& relation);
/// One-level: all ranks of the receiver get the whole mesh, through the first ranks.
[[nodiscard]] bool whole_mesh_is_dealt(const MeshRelation& relation, int receiver_ranks);
/// Vertices of the provider may be found on several ranks of the receiver.
[[nodiscard]] bool claims_compete(const MeshRelation& relation, int receiver_ranks);
/// Claims for a use count for all uses that find the same: it is the first of them.
[[nodiscard]] bool speaks_for_others(const MeshRelation& relation, std::size_t use);
/// Vertices go to the candidates of all ranks of the receiver together, for a use that
/// speaks_for_others().
[[nodiscard]] bool candidates_are_joined(const MeshRelation& relation, std::size_t use);
/// Where claims compete, the receiver has to know which vertices several of its ranks get: with the
/// one-level initialization all ranks get all.
[[nodiscard]] bool contested_are_sent(const MeshRelation& relation);
/// Several ranks of the receiver may add to one vertex.
[[nodiscard]] bool owners_matter(const MappingUse& use, int receiver_ranks);
/// The values of a vertex come to one rank of the receiver, whichever ranks and mappings reach it;
/// whether there is a use of that kind.
[[nodiscard]] bool vertices_are_joined(const MappingUse& use, int receiver_ranks);
[[nodiscard]] bool vertices_are_joined(const MeshRelation& relation, int receiver_ranks);
/// Which vertices a use writes is said by itself, not together with those of other uses.
[[nodiscard]] bool writes_alone(const MappingUse& use, int receiver_ranks);
/// The receiver counts each vertex once, whichever of its ranks read it.
[[nodiscard]] bool ghosts_are_marked(const MeshRelation& relation, int receiver_ranks);
/// Both sides remember their last plan, of which and of what has changed the next one is made:
/// meshes may change, and a plan needs nothing of 3 to 7 but Farthest, and no share. Message 8 is a
/// difference from what was read, from nothing if there was no plan.
[[nodiscard]] bool plan_is_remembered(const MeshRelation& relation);
/// Changes of a few vertices may travel alone: a plan needs nothing but 2 and 8 then.
[[nodiscard]] bool changes_may_be_small(const MeshRelation& relation);

/// `how`: what a message needs to be written, beside itself.
template <class Message, class... How>
[[nodiscard]] std::vector<std::byte> bytes_of(const Message& message, const How&... how) {
  Writer writer;
  message.write(writer, how...);
  return writer.take();
}

/// Error where it is cut off or too long.
template <class Message, class... How>
[[nodiscard]] Message read_message(std::span<const std::byte> bytes, const How&... how) {
  Reader reader(bytes);
  Message message = Message::read(reader, how...);
  reader.finish();
  return message;
}

template <class Message, class... How>
void send(partner::Context& context, transport::LinkId link, const Message& message,
          const How&... how) {
  context.hub.send(link, Message::kind, bytes_of(message, how...));
}

/// Waits for it. Error as read_message() and Hub::receive().
template <class Message, class... How>
[[nodiscard]] Message receive(partner::Context& context, transport::LinkId link,
                              const How&... how) {
  const auto bytes = context.hub.receive(link, Message::kind, context.progress_timeout);
  return read_message<Message>(bytes, how...);
}

} // namespace isthmus::protocol
