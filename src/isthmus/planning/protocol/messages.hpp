// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::planning {

// The planning protocol: what one rank of the provider of a mesh (P) and one rank of its receiver
// (R) say to each other until both know whose values travel. In this order, for each mesh relation:
//
//      the first ranks swap the extents of their meshes, which gives the margin (search/margin)
//   1  R -> P  Region         where vertices matter to R
//   2  P -> R  (transfer)     the vertices and elements that lie there
//   3  R -> P  Claims         how well R can place each of them; where claims_compete()
//      1 to 3 again with a larger margin until all answers lie within it
//   4  P -> R  Awards         which of them R may place; where claims_compete()
//      for each use that writes:
//   5  R -> P  Contributed    to which of them R adds; where owners_matter()
//   6  P -> R  Owners         which rank of the receiver sums up each; where owners_matter()
//   7  R -> P  Written        which of them R writes in each step
//   8  R -> P  Read           which of them R reads in each step
//   9  P -> R  Shared         which of these a lower rank reads, too; where copies_are_marked()
//
// Positions count the vertices of message 2, from 0. With the one-level initialization 1 and 2 are
// replaced by the whole mesh (transfer/mesh_transfer). Where both remember their last plan, 2 says
// what has changed, and 8 what differs (transfer/part_changes); small changes of a few vertices
// travel alone, as Kind::changes, between those whom they concern (transfer/bundles).

/// How well one rank of the receiver can place one vertex of the provider.
struct Claim {
  double distance2;       // to what was found; infinite if nothing was
  geometry::Point corner; // first vertex of what was found, decides between equal distances

  [[nodiscard]] bool better_than(const Claim& other) const {
    return distance2 != other.distance2 ? distance2 < other.distance2 : corner < other.corner;
  }
};

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

/// One list of values, each belonging to a vertex of message 2, per use that claims().
template <Plain T, transport::Kind number>
struct ListsMessage {
  static constexpr transport::Kind kind = number;
  std::vector<std::vector<T>> lists;

  void write(Writer& writer) const {
    for (const std::vector<T>& list : lists) {
      writer.put_array(list);
    }
  }
  static ListsMessage read(Reader& reader) {
    ListsMessage message;
    while (reader.left() > 0) {
      message.lists.push_back(reader.get_array<T>());
    }
    return message;
  }
};

using Region = ListMessage<geometry::Box, transport::Kind::boxes>;
using Claims = ListsMessage<Claim, transport::Kind::claims>;
using Awards = ListsMessage<char, transport::Kind::awards>;                  // 1: may place it
using Contributed = ListMessage<LocalIndex, transport::Kind::contributions>; // positions
using Owners = ListMessage<Ownership, transport::Kind::owners>;    // by position contributed
using Written = ListMessage<LocalIndex, transport::Kind::written>; // positions
using Read = ListMessage<LocalIndex, transport::Kind::read>;       // positions
using Shared = ListMessage<char, transport::Kind::shared>;         // by position read; 1: a copy

/// Vertices of the provider may find places on several ranks of the receiver.
[[nodiscard]] bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks);
/// Several ranks of the receiver may add to one vertex.
[[nodiscard]] bool owners_matter(const transfer::MappingUse& use, int receiver_ranks);
/// The receiver counts each vertex once, whichever of its ranks read it.
[[nodiscard]] bool copies_are_marked(const transfer::MeshRelation& relation, int receiver_ranks);

template <class Message>
void send(partner::Context& context, transport::LinkId link, const Message& message) {
  Writer writer;
  message.write(writer);
  context.hub.send(link, Message::kind, writer.take());
}

/// Waits for it. Error where it is cut off or too long, and as Hub::receive().
template <class Message>
[[nodiscard]] Message receive(partner::Context& context, transport::LinkId link) {
  const auto bytes = context.hub.receive(link, Message::kind, context.progress_timeout);
  Reader reader(bytes);
  Message message = Message::read(reader);
  reader.finish();
  return message;
}

} // namespace isthmus::planning
