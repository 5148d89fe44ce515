// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transfer/mesh_relation.hpp"
#include "isthmus/transfer/shares.hpp"
#include "isthmus/transport/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::planning {

// The planning protocol: what one rank of the provider of a mesh (P) and one rank of its receiver
// (R) say to each other until both know whose values travel. In this order, for each mesh relation:
//
//      between the first ranks, as Kind::control (Connection::swap()):
//        both          facts of their meshes, where a mapping is automatic; before the first plan
//                      only (choose_mappings())
//        both          the extents of their meshes, which give the margin (search/margin)
//        P -> R        surveys of the whole mesh, where a use is_surveyed() and the margin has a
//                      limit (search/surveys)
//   1  R -> P  Region         where vertices matter to R
//      R -> P  WantedShare    numbers of vertices, as a box on an axis; where R gets a share
//   2  P -> R  (transfer)     the vertices and elements that lie there, and the share
//      P -> R  SentShare      which of them are the share; where PartFinder::names_share()
//      P -> R  Contested      which of them other ranks get, too;
//                             where contested_are_sent()
//   3  R -> P  Claims         how well R can place each of them, and the elements that are
//                             candidates for contested ones; where claims_compete()
//      both first ranks: how far away the farthest answer is, where the margin has a limit;
//      1 to 3 again with a larger one until all answers lie within it
//      P -> R  Measured       of the elements around each; where integrals or actions weight them
//                             (planning/measures)
//   4  P -> R  Awards         which of them R may place, and where if P has chosen among the
//                             candidates of all ranks; where claims_compete()
//      for each use that writes:
//   5  R -> P  Contributed    to which of them R adds; where owners_matter()
//   6  P -> R  Owners         which rank of the receiver sums up each; where owners_matter()
//   7  R -> P  Written        which of them R writes in each step; where writes_alone()
//      5 and 6 once for all of them together, then 7 for each, where vertices_are_joined()
//   8  R -> P  Read           which of them R reads in each step
//   9  P -> R  Shared         which of these a lower rank reads, too; where ghosts_are_marked()
//
// Positions count the vertices of message 2, from 0. Where whole_mesh_is_dealt(), the whole mesh
// takes the place of 1 and 2 (transfer/whole_mesh_transfer). Where reads_are_differences(), 8 says
// what differs from the last plan, and a changed plan begins with 2, which says what has changed
// since (transfer/part_changes): nothing of 1 and 3 to 7 is there. Small changes of a few vertices
// travel alone, 2 and 8 as pieces of Kind::changes, between those whom they concern
// (transfer/bundles).

/// Who sums up one vertex to which several ranks of the receiver add.
struct Ownership {
  std::int32_t owner;  // rank of the receiver
  std::int32_t vertex; // number on the provider's rank
};

/// One list of values.
template <Plain T, transport::Kind number>
struct ListMessage {
  static constexpr transport::Kind kind = number;
  std::vector<T> list;

  void write(Writer& writer) const { writer.put_array(list); }
  static ListMessage read(Reader& reader) { return {reader.get_array<T>()}; }
};

using Region = ListMessage<geometry::Box, transport::Kind::boxes>;
using WantedShare = ListMessage<geometry::Box, transport::Kind::wanted_share>;
using SentShare = ListMessage<transfer::Stretch, transport::Kind::sent_share>;
using Contested = ListMessage<char, transport::Kind::contested>; // by position; 1: contested
using Contributed = ListMessage<LocalIndex, transport::Kind::contributions>; // positions
using Owners = ListMessage<Ownership, transport::Kind::owners>;    // by position contributed
using Written = ListMessage<LocalIndex, transport::Kind::written>; // positions
using Shared = ListMessage<char, transport::Kind::shared>;         // by position read; 1: shared

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find one. Each claims the vertex with what it found; the provider awards it.

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

  void write(Writer& writer, const transfer::MeshRelation& relation) const;
  /// Error where there are other than `count` claims, or elements with vertices that are not there.
  static Claims read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count);
};

/// What becomes of a vertex.
enum class Award : char { no, as_claimed, as_chosen };

/// The answer, by use that speaks_for_others().
struct Awards {
  static constexpr transport::Kind kind = transport::Kind::awards;
  std::vector<std::vector<Award>> lists;                  // by use and vertex
  std::vector<std::vector<geometry::Projection>> choices; // of vertices as_chosen, in their order

  void write(Writer& writer, const transfer::MeshRelation& relation) const;
  /// Error where there are other than `count` awards, or choices are missing.
  static Awards read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count);
};

/// What the elements around each vertex measure, for each who weights by them.
struct Measured {
  static constexpr transport::Kind kind = transport::Kind::measures;
  struct One {
    double total = 0; // of the whole mesh
    std::vector<double> vertices;
  };
  std::vector<One> list;

  void write(Writer& writer) const;
  static Measured read(Reader& reader, std::size_t count);
};

/// Message 8, and what both sides keep of it.
struct Read {
  static constexpr transport::Kind kind = transport::Kind::read;
  std::vector<LocalIndex> positions;
  bool differs = false; // from the list before

  /// The message that makes the list `now`.
  [[nodiscard]] std::vector<std::byte> change(const transfer::MeshRelation& relation,
                                              std::vector<LocalIndex> now);
  /// The message that leaves the list as it is.
  [[nodiscard]] std::vector<std::byte> keep();
  /// What the other side said.
  void update(const transfer::MeshRelation& relation, std::span<const std::byte> message);
};

/// One-level: all ranks of the receiver get the whole mesh, through the first ranks.
[[nodiscard]] bool whole_mesh_is_dealt(const transfer::MeshRelation& relation, int receiver_ranks);
/// Vertices of the provider may be found on several ranks of the receiver.
[[nodiscard]] bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks);
/// Claims for a use count for all uses that find the same: it is the first of them.
[[nodiscard]] bool speaks_for_others(const transfer::MeshRelation& relation, std::size_t use);
/// Vertices go to the candidates of all ranks of the receiver together, for a use that
/// speaks_for_others().
[[nodiscard]] bool candidates_are_joined(const transfer::MeshRelation& relation, std::size_t use);
/// Where claims compete, the receiver has to know which vertices several of its ranks get: with the
/// one-level initialization all ranks get all.
[[nodiscard]] bool contested_are_sent(const transfer::MeshRelation& relation);
/// Several ranks of the receiver may add to one vertex.
[[nodiscard]] bool owners_matter(const transfer::MappingUse& use, int receiver_ranks);
/// The values of a vertex come to one rank of the receiver, whichever ranks and mappings reach it.
[[nodiscard]] bool vertices_are_joined(const transfer::MappingUse& use, int receiver_ranks);
/// Which vertices a use writes is said by itself, not together with those of other uses.
[[nodiscard]] bool writes_alone(const transfer::MappingUse& use, int receiver_ranks);
/// The receiver counts each vertex once, whichever of its ranks read it.
[[nodiscard]] bool ghosts_are_marked(const transfer::MeshRelation& relation, int receiver_ranks);
/// Both sides remember what was read in their last plan, nothing if there was none.
[[nodiscard]] bool reads_are_differences(const transfer::MeshRelation& relation);

/// `how`: what a message needs to be written, beside itself.
template <class Message, class... How>
void send(partner::Context& context, transport::LinkId link, const Message& message,
          const How&... how) {
  Writer writer;
  message.write(writer, how...);
  context.hub.send(link, Message::kind, writer.take());
}

/// Waits for it. Error where it is cut off or too long, and as Hub::receive().
template <class Message, class... How>
[[nodiscard]] Message receive(partner::Context& context, transport::LinkId link,
                              const How&... how) {
  const auto bytes = context.hub.receive(link, Message::kind, context.progress_timeout);
  Reader reader(bytes);
  Message message = Message::read(reader, how...);
  reader.finish();
  return message;
}

} // namespace isthmus::planning
