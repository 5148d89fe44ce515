// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/mapping/moving_nearest.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/measures.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/planning/search/access.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
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

/// Where an action may join what has come with what is written: marks the received vertices that
/// this rank writes. Before their lists are dropped.
void mark_written(const protocol::MeshRelation& relation, std::span<const PlannedMapping> mappings,
                  std::vector<char>& needed);

[[nodiscard]] Ghosts number_ghosts(std::span<const transfer::Part> parts,
                                   const std::vector<char>& needed);

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
[[nodiscard]] HeldMesh make_held_mesh(const mesh::Mesh& transferred, const Ghosts& ghosts,
                                      std::span<const PlannedMapping> mappings,
                                      std::span<const double> measures);

/// How far the vertices of one use are from what they were mapped to, on this rank.
struct Distances {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  double sum = 0;
  std::int64_t count = 0;

  /// A square that is infinite, where nothing was found, does not count.
  void add(double distance2);
};

/// The receiver's part of a mesh relation: its mappings, and the ghosts of those vertices of the
/// partner that they need, numbered by partner rank.
struct ReceivedPlan {
  LocalIndex num_read = 0; // ghosts, whose values are received
  std::vector<Route> read; // from which partner
  /// Where ghosts_are_marked(); 1: a lower rank reads it, too.
  std::vector<char> read_by_lower;
  std::vector<PlannedMapping> mappings;
  LocalIndex num_transferred = 0;   // vertices that came for the search
  bool is_whole = false;            // they are all of the mesh: the participant has one rank
  std::vector<Distances> distances; // by use, of this rank
  Accessed accessed;                // those that the solver has access to
  std::optional<HeldMesh> held;     // elements: if exported or remembered
};

/// The answer of the provider to what is read, where ghosts_are_marked(): which of them a lower
/// rank reads, too.
[[nodiscard]] std::vector<char> receive_marks(partner::Context& context,
                                              std::span<const Route> routes);

/// Makes the rows of a mapping that writes, all of whose weights are there. Collective over the
/// receiver's ranks where owners_matter().
void make_written_rows(PlannedMapping& mapping);

/// Of results behind those of own vertices, which are of these ghosts: they are added to those of
/// the ghosts' owners. None where there are no ghosts.
[[nodiscard]] std::optional<Handover> hand_to_owners(LocalIndex num_own,
                                                     const exchange::Halo& ghosts);

/// Makes rows of what the uses of a received mesh have found.
class MappingPlanner {
 public:
  /// `awards`: where claims_compete(). The other arguments must outlive the object.
  MappingPlanner(partner::Context& context, const protocol::MeshRelation& relation,
                 const transfer::TransferredMesh& received, Searches& searches,
                 std::optional<protocol::Awards> awards);
  /// Collective. Where uses are scaled; before they are planned. `measures`: of received vertices.
  void integrate(const mesh::OwnMeshes& meshes, const Measures& measures);

  /// Of the vertices that are placed by a use on this rank; before distances are forgotten.
  [[nodiscard]] Distances distances(std::size_t use) const;
  /// The mapping of a use, on received vertices; takes away what was found for it. Collective where
  /// owners_matter(), or the own mesh is gathered or searched nearby. Marks the received vertices
  /// that it reads.
  [[nodiscard]] PlannedMapping plan(std::size_t use, std::vector<char>& needed);

 private:
  [[nodiscard]] PlannedMapping plan_read(std::size_t use, std::vector<char>& needed);
  [[nodiscard]] PlannedMapping plan_write(std::size_t use);
  [[nodiscard]] LateRows contributions_of(std::size_t use, std::vector<LocalIndex>& vertices);
  /// What was found for a use and awarded; takes it away.
  struct Taken {
    mapping::Interpolation found;
    std::unique_ptr<mapping::LateInterpolation> late; // finds it later, or null
    std::optional<OwnMeshGhosts> ghosts; // that are among its columns, behind the own vertices
    std::vector<LocalIndex> awarded;     // where it searches nearby: by received vertex, 0 if not
  };
  [[nodiscard]] Taken take(std::size_t use);

  partner::Context& context_;
  const protocol::MeshRelation& relation_;
  const transfer::TransferredMesh& received_;
  Searches& searches_;
  std::optional<protocol::Awards> awards_;     // of all parts; none: whatever was found
  std::map<std::size_t, Integrals> integrals_; // by use that is scaled
};

} // namespace isthmus::planning
