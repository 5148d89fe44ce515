// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <cstdint>
#include <span>
#include <utility>
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
//   9  P -> R  Shared         which of these a lower rank reads, too; where ghosts_are_marked()
//
// Positions count the vertices of message 2, from 0. With the one-level initialization 1 and 2 are
// replaced by the whole mesh (transfer/mesh_transfer). Where reads_are_differences(), 8 says what
// differs from the last plan, and a changed plan begins with 2, which says what has changed since
// (transfer/part_changes): nothing of 1 and 3 to 7 is there. Small changes of a few vertices travel
// alone, 2 and 8 as pieces of Kind::changes, between those whom they concern (transfer/bundles).

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

  /// Of a part of lists by use, which are empty where a use does not claim.
  ListsMessage(const transfer::MeshRelation& relation, const std::vector<std::vector<T>>& by_use,
               LocalIndex first, LocalIndex count) {
    for (std::size_t u = 0; u < relation.uses.size(); ++u) {
      if (relation.uses[u].claims()) {
        const auto begin = by_use[u].begin() + first;
        lists.emplace_back(begin, begin + count);
      }
    }
  }
  /// The list of each use. Error where one is missing, or has other than `count` values.
  [[nodiscard]] std::vector<std::vector<T>> by_use(const transfer::MeshRelation& relation,
                                                   LocalIndex count) && {
    std::vector<std::vector<T>> all(relation.uses.size());
    std::size_t next = 0;
    for (std::size_t u = 0; u < all.size(); ++u) {
      if (relation.uses[u].claims()) {
        check(next < lists.size() && lists[next].size() == static_cast<std::size_t>(count),
              "a message of {} is too short", transport::name(kind));
        all[u] = std::move(lists[next++]);
      }
    }
    return all;
  }

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

 private:
  ListsMessage() = default;
};

using Region = ListMessage<geometry::Box, transport::Kind::boxes>;
using Claims = ListsMessage<Claim, transport::Kind::claims>;
using Awards = ListsMessage<char, transport::Kind::awards>;                  // 1: may place it
using Contributed = ListMessage<LocalIndex, transport::Kind::contributions>; // positions
using Owners = ListMessage<Ownership, transport::Kind::owners>;    // by position contributed
using Written = ListMessage<LocalIndex, transport::Kind::written>; // positions
using Shared = ListMessage<char, transport::Kind::shared>;         // by position read; 1: shared

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

/// Vertices of the provider may be found on several ranks of the receiver.
[[nodiscard]] bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks);
/// Several ranks of the receiver may add to one vertex.
[[nodiscard]] bool owners_matter(const transfer::MappingUse& use, int receiver_ranks);
/// The receiver counts each vertex once, whichever of its ranks read it.
[[nodiscard]] bool ghosts_are_marked(const transfer::MeshRelation& relation, int receiver_ranks);
/// Both sides remember what was read in their last plan, nothing if there was none.
[[nodiscard]] bool reads_are_differences(const transfer::MeshRelation& relation);

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
