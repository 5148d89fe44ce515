// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/mapping/moving_nearest.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::planning {

// Of the vertices that came for the search a rank keeps those that its mappings read: its ghosts,
// numbered by part, so that whatever comes from one rank of the provider is contiguous.

/// The numbers of ghosts.
struct Ghosts {
  LocalIndex count = 0;
  std::vector<LocalIndex> of_vertex;              // by received vertex: its ghost, or -1
  std::vector<std::vector<LocalIndex>> positions; // by part: of the vertices that are read
};

[[nodiscard]] Ghosts number_ghosts(std::span<const transfer::Part> parts,
                                   const std::vector<char>& needed);

/// Where the values of ghosts come from.
[[nodiscard]] std::vector<Route> routes_of(const Ghosts& ghosts,
                                           std::span<const transfer::Part> parts);

/// The answer of the provider to what is read: which ghosts a lower rank has, too.
[[nodiscard]] std::vector<char> receive_shared(partner::Context& context,
                                               std::span<const Route> routes);

/// Makes a mapping that reads received vertices read ghosts.
void read_ghosts(const Ghosts& ghosts, PlannedMapping& mapping);

/// How many rows take each ghost, remembered to correct a plan in place.
class GhostUsers {
 public:
  GhostUsers() = default;
  GhostUsers(const Ghosts& ghosts, std::span<const PlannedMapping> mappings);

  /// The ghost of a received vertex, or -1.
  [[nodiscard]] LocalIndex ghost(LocalIndex vertex) const {
    return of_vertex_[static_cast<std::size_t>(vertex)];
  }
  /// Points have other nearest vertices, by use. False where other ghosts than before are needed:
  /// then everything is to be counted anew.
  [[nodiscard]] bool update(
      std::span<const std::vector<mapping::MovingNearest::Change>* const> changes);

 private:
  std::vector<LocalIndex> of_vertex_;
  std::vector<std::int32_t> num_users_; // by received vertex
};

/// The vertices of a received mesh that this rank reads or writes, with what elements came along,
/// for those who look at it.
struct HeldMesh {
  mesh::Mesh mesh;
  std::vector<LocalIndex> read;                 // its vertex of each ghost
  std::vector<std::vector<LocalIndex>> written; // by use: its vertex of each row
  std::vector<double> measures; // where MeshRelation::is_weighed: by vertex, of the whole surface
};

/// Of a transferred mesh what is read, or written by these mappings, which still say where.
/// `measures`: of each vertex, or empty.
[[nodiscard]] HeldMesh hold(const mesh::Mesh& transferred, const Ghosts& ghosts,
                            std::span<const PlannedMapping> mappings,
                            std::span<const double> measures);

} // namespace isthmus::planning
