// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"

#include <vector>

namespace isthmus::planning {

/// Collective. `region`: takes part by its corners, unless it is empty or all of space.
/// `with_spacing`: measure it, else it is 0. `keeps`: this rank can.
[[nodiscard]] protocol::MeshExtent extent_of(const comm::Comm& comm,
                                             const std::vector<const mesh::Mesh*>& meshes,
                                             const geometry::Box& region, bool with_spacing,
                                             bool keeps);

/// Median distance between neighbours along a space-filling curve; 0 below two vertices.
[[nodiscard]] double typical_spacing(const mesh::Mesh& mesh);

/// How far around its own part a rank of the receiver looks. The first guess follows from the
/// spacing of the meshes; when an answer lies farther away, both sides agree on more and search
/// again, so that the result never depends on the guess. A round of make_first_plan() is
///
///   in receive_mesh.cpp                            in provide_mesh.cpp
///   sends its boxes, value() wider, gets parts     find_recipients(): selects parts and sends them
///   search(): the farthest answer
///   if ranks compete, send_claims()                Contest::run(): the farthest of what wins
///   suffices(farthest)                             suffices(farthest, 0 without a contest)
///
/// Both ask suffices() and swap what they know in it: both go on, or both begin another round.
/// Where a use searches the receiver's own mesh, its ranks widen among themselves, afterwards:
/// nearby_search.cpp.
class Margin {
 public:
  /// Collective over both participants. Error on all ranks of both if vertices are to find their
  /// place on a mesh without any; a warning if the meshes lie far apart. `last`: the margin of an
  /// earlier plan, 0 if there was none.
  Margin(partner::Connection& partner, const protocol::MeshRelation& relation,
         const protocol::MeshExtent& own, bool is_receiver, double last);

  /// All ranks of both sides can go on from the last plan.
  [[nodiscard]] bool keeps() const { return keeps_; }

  /// Not margin_has_limit().
  [[nodiscard]] bool unlimited() const { return unlimited_; }
  [[nodiscard]] double value() const { return value_; }
  /// Of all ranks of the provider.
  [[nodiscard]] GlobalIndex num_provided() const { return num_provided_; }
  /// Collective over both participants. `needed`: distance of the farthest answer of this rank,
  /// infinite where there was none. True if the margin sufficed everywhere, else it has grown.
  [[nodiscard]] bool suffices(partner::Connection& partner, double needed);
  /// A survey asks for `least`: looks at least as far, and from now on clearly farther than before
  /// wherever that does not suffice, as answers near the edge of what is known say too little. By
  /// both sides alike. keeps() no longer holds if the last plan did not look as far. `may_grow`:
  /// meshes may change, so some room is added, for the next plan.
  void widen(double least, bool may_grow);
  /// By how much answers may be farther away until it does not suffice, as far as that is known: 0
  /// where it was widened, because what answers depend on may have changed.
  [[nodiscard]] double left() const;
  /// Around the meshes of both sides.
  [[nodiscard]] const geometry::Box& joint() const { return joint_; }

 private:
  bool unlimited_ = false;
  bool keeps_ = false;
  bool is_widened_ = false;
  double value_ = 0;
  double growth_ = 1; // at least, where the margin does not suffice
  GlobalIndex num_provided_ = 0;
  geometry::Box joint_;
  double most_ = 0;    // distance of the farthest answer
  double largest_ = 0; // then everything has been seen
};

// Some mappings have to know something of the whole mesh, for example how dense its vertices are,
// and search a part of it then. The provider finds that out, and both sides look at least as far as
// it says. All this happens where surveys_are_sent().

/// Collective over both participants.
void send_surveys(partner::Connection& receiver, const protocol::MeshRelation& relation,
                  const mesh::Mesh& own, const MappingFactory* mappings, Margin& margin);
/// Collective over both participants. By use what is known of the mesh.
[[nodiscard]] std::vector<protocol::Survey> receive_surveys(partner::Connection& provider,
                                                            const protocol::MeshRelation& relation,
                                                            Margin& margin);

/// A box around which a use that is surveyed searches, with all that lies above and below along
/// axes whose coordinates do not count.
[[nodiscard]] geometry::Box along_dead_axes(geometry::Box box, const protocol::MappingUse& use,
                                            const Margin& margin);

} // namespace isthmus::planning
