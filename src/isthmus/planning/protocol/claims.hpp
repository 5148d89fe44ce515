// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <vector>

namespace isthmus::planning {

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find one. Each claims the vertex with what it found; the provider awards it.

/// What `found` on `own` is worth, by vertex that searched.
[[nodiscard]] std::vector<Claim> claims_of(const mesh::Mesh& own,
                                           const mapping::Interpolation& found);

/// The provider's choice: for each use that claims the best claim to each vertex, and whose it is.
class Contest {
 public:
  /// The arguments must outlive the object.
  Contest(const transfer::MeshRelation& relation, const mesh::Mesh& mesh)
      : relation_(relation), mesh_(mesh) {}

  /// Forgets all claims.
  void begin();
  /// Those of a partner to the vertices that it got.
  void enter(int partner, const transfer::Selection& selection, Claims claims);
  /// The largest distance of the best claims; infinite where a vertex has none.
  [[nodiscard]] double farthest() const;
  /// Which of its vertices a partner has won.
  [[nodiscard]] Awards awards(int partner, const transfer::Selection& selection) const;

 private:
  const transfer::MeshRelation& relation_;
  const mesh::Mesh& mesh_;
  std::vector<std::vector<Claim>> best_; // by use and vertex
  std::vector<std::vector<int>> winner_; // by use and vertex: partner
};

} // namespace isthmus::planning
