// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/project.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::planning {

/// The provider's choice among the ranks of the receiver that claim its vertices. For each use the
/// best claim wins; where vertices go to candidates and several ranks get them, the candidates of
/// all these ranks together decide, as if one rank had the whole mesh.
class Contest {
 public:
  /// The arguments must outlive the object.
  Contest(const protocol::MeshRelation& relation, const mesh::Mesh& mesh)
      : relation_(relation), mesh_(mesh) {}

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

} // namespace isthmus::planning
