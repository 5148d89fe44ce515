// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// Where a vertex of the receiver's own mesh is, and its number there.
struct OnRank {
  int rank;
  LocalIndex vertex;
};

/// Ghosts of the own mesh: its vertices on other ranks, numbered after the own ones.
struct OwnMeshGhosts {
  exchange::Halo halo;
  std::vector<double> coordinates;
};

/// Where a mesh at hand has vertices of other ranks beside the own ones: which of those become
/// ghosts.
class ForeignVertices {
 public:
  /// The own vertices are `num_own` of the mesh, from `first_own` on; ghosts are the others among
  /// `used`.
  ForeignVertices(LocalIndex first_own, LocalIndex num_own, std::span<const LocalIndex> used);

  /// Makes own vertices and ghosts of vertices of the mesh, which are own ones or were used.
  void renumber(std::span<LocalIndex> vertices) const;

  /// Collective. The ghosts; place_of(vertex): where a vertex of the mesh is. Those of lower ranks
  /// come first in the mesh.
  template <typename PlaceOf>
  [[nodiscard]] OwnMeshGhosts ghosts(const comm::Comm& comm, const mesh::Mesh& mesh,
                                     PlaceOf place_of) const {
    comm::Lists<LocalIndex> wanted;
    for (const LocalIndex vertex : foreign_) {
      const OnRank place = place_of(vertex);
      wanted[place.rank].push_back(place.vertex);
    }
    return {exchange::halo_of_wanted(comm, wanted), mesh::coordinates_of(mesh, foreign_)};
  }

 private:
  [[nodiscard]] bool is_own(LocalIndex vertex) const {
    return vertex >= first_own_ && vertex < first_own_ + num_own_;
  }

  LocalIndex first_own_;
  LocalIndex num_own_;
  std::vector<LocalIndex> foreign_; // ascending
};

} // namespace isthmus::planning
