// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/elements.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/recipient.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::planning {

// Where claims_compete(), both sides find out which rank of the receiver places which vertex of the
// provider. Each rank claims what it has found, the provider holds a contest, and says who has won:
// the messages between the transfer of the mesh and what is written. Other functions than those
// that send, receive and run are serial.

/// What `found` on `own` is worth, by vertex that searched.
[[nodiscard]] std::vector<protocol::Claim> claims_of(const mesh::Mesh& own,
                                                     const mapping::Interpolation& found);

/// Elements of `own` with what the provider has to know of them.
[[nodiscard]] protocol::CandidateElements candidates_of(
    const mesh::Mesh& own, std::span<const geometry::Element> elements);

/// The receiver says what it has found.
void send_claims(partner::Context& context, const protocol::MeshRelation& relation,
                 const transfer::TransferredMesh& received, const Searches& searches);

/// The provider's choice among the ranks of the receiver that claim its vertices. For each use the
/// best claim wins; where vertices go to candidates and several ranks get them, the candidates of
/// all these ranks together decide, as if one rank had the whole mesh.
class Contest {
 public:
  /// The arguments must outlive the object.
  Contest(const protocol::MeshRelation& relation, const mesh::Mesh& mesh)
      : relation_(relation), mesh_(mesh) {}

  /// Collective, together with the recipients: receives what they claim, and settles it.
  void run(partner::Context& context, std::span<const Recipient> recipients);
  /// Says who has won.
  void send_awards(partner::Context& context, std::span<const Recipient> recipients) const;

  // What run() calls, and what there is to say afterwards; serial.

  /// Forgets all claims. `selections`: the vertices that partners get.
  void begin(const std::vector<const transfer::Selection*>& selections);
  /// Which vertices of a partner others get, too: 1.
  [[nodiscard]] std::vector<char> contested(const transfer::Selection& selection) const;
  /// The claims of a partner, by its position among the selections, to the vertices that it got.
  void enter(int partner, const transfer::Selection& selection, protocol::Claims claims);
  /// Chooses among the candidates of all.
  void settle();
  /// How far a rank must look to find what has won: the largest distance of the best claims;
  /// infinite where a vertex has none.
  [[nodiscard]] double farthest() const;
  /// Which of its vertices a partner has won.
  [[nodiscard]] protocol::Awards awards(int partner, const transfer::Selection& selection) const;

 private:
  /// About one vertex, for one use.
  struct Standing {
    protocol::Claim best;
    int winner = -1; // partner
    int choice = -1; // among the choices; -1: the place is the one that the winner has claimed
  };
  struct Candidates {
    int partner;
    protocol::CandidateElements elements;
  };
  /// A vertex of a partner.
  struct Origin {
    int partner;
    LocalIndex vertex;
  };

  void choose(std::size_t use);
  [[nodiscard]] mesh::Mesh join(const std::vector<Candidates>& candidates,
                                std::vector<Origin>& origins) const;

  const protocol::MeshRelation& relation_;
  const mesh::Mesh& mesh_;
  std::vector<char> is_contested_;                  // by vertex
  std::vector<std::vector<Standing>> standings_;    // by use and vertex
  std::vector<std::vector<Candidates>> candidates_; // by use
  std::vector<geometry::Projection> choices_;       // of all uses, on vertices of the winners
};

/// What this rank has won, in the order of the received vertices.
[[nodiscard]] protocol::Awards receive_awards(partner::Context& context,
                                              const protocol::MeshRelation& relation,
                                              std::span<const transfer::Part> parts);

/// Of what was found for a use what was awarded, at the place that the provider has chosen where it
/// has. `choices` in the order of the vertices, on `own`.
[[nodiscard]] mapping::Interpolation keep_awarded(const mapping::Interpolation& found,
                                                  std::span<const protocol::Award> awards,
                                                  std::span<const geometry::Projection> choices,
                                                  const mesh::Mesh& own);

} // namespace isthmus::planning
