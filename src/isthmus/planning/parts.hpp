// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/sequence.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/recipient.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <optional>
#include <span>
#include <vector>

namespace isthmus::planning {

// Which part of the provided mesh a rank of the receiver gets: the vertices and elements in its
// region, its share of the vertices, or both, each vertex once. Where a mapping solves a system or
// integrates over all vertices, the ranks get equal shares by the vertices' numbers, those of rank
// 0 first, whatever their place.

/// Boxes on an axis of numbers, by which partners find each other: they meet where shares do.
[[nodiscard]] std::vector<geometry::Box> number_boxes(const Share& share);

/// Adds to a selection the vertices whose numbers lie in the boxes; the first of the mesh has the
/// number `first`. Returns their positions.
protocol::Stretch add_share(const mesh::Mesh& mesh, GlobalIndex first,
                            std::span<const geometry::Box> boxes, transfer::Selection& selection);

/// Finds the ranks of the other side that have, or get, something of a part.
class PartFinder {
 public:
  /// The arguments must outlive the object.
  PartFinder(partner::Connection& partner, const protocol::MeshRelation& relation,
             rendezvous::Side side);

  /// shares_are_sent().
  [[nodiscard]] bool shares() const;
  /// regions_are_sent().
  [[nodiscard]] bool looks() const;
  /// share_is_named().
  [[nodiscard]] bool names_share() const;

  /// Collective over both participants. Ascending. `boxes` of this rank, and the numbers that it
  /// has or wants, the same in every call.
  [[nodiscard]] std::vector<int> find(std::span<const geometry::Box> boxes, const Share& numbers);

 private:
  partner::Connection& partner_;
  const protocol::MeshRelation& relation_;
  rendezvous::Side side_;
  int receiver_ranks_;
  std::optional<std::vector<int>> sharers_; // ranks that shares come from or go to, once found
};

/// Collective over both participants. The provider finds who needs something of its mesh, and sends
/// it; `boxes` around this rank's vertices, none where one rank receives or all get shares
/// alone.
[[nodiscard]] std::vector<Recipient> send_parts(partner::Connection& receiver,
                                                const protocol::MeshRelation& relation,
                                                const mesh::Mesh& mesh, PartFinder& finder,
                                                std::span<const geometry::Box> boxes);

/// What a rank of the receiver gets.
struct ReceivedParts {
  transfer::TransferredMesh mesh;
  std::optional<std::vector<LocalIndex>> share; // its vertices; none: all, or by their number
};

/// Collective over both participants. `boxes`: the region of this rank; `num_provided`: vertices
/// of all ranks of the provider.
[[nodiscard]] ReceivedParts receive_parts(partner::Connection& provider,
                                          const protocol::MeshRelation& relation,
                                          PartFinder& finder, std::span<const geometry::Box> boxes,
                                          GlobalIndex num_provided);

/// Entries for so many positions of each part, one part after the other.
[[nodiscard]] std::vector<Route> routes_of(std::span<const transfer::Part> parts,
                                           std::span<const std::vector<LocalIndex>> positions);

/// Says to the provider which received vertices are written in each step. Returns their routes.
[[nodiscard]] std::vector<Route> send_written(partner::Context& context,
                                              std::span<const transfer::Part> parts,
                                              std::span<const LocalIndex> vertices);

} // namespace isthmus::planning
