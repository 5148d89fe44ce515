// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/moving_nearest.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/protocol/copies.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/planning/search/access.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/displacement.hpp"
#include "isthmus/transfer/mesh_relation.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isthmus::planning {

/// The vertices of a received mesh that this rank reads or writes, with what elements came along,
/// for those who look at it.
struct HeldMesh {
  mesh::Mesh mesh;
  std::vector<LocalIndex> read;                 // its vertex of each copy that is read
  std::vector<std::vector<LocalIndex>> written; // by use: its vertex of each row
  std::vector<double> measures; // where MeshRelation::is_weighed: by vertex, of the whole surface
};

/// The receiver's part of a mesh relation: copies of those vertices of the partner that its
/// mappings need, numbered by partner rank, and nothing else.
struct ReceivedPlan {
  LocalIndex num_read = 0;  // copies whose values are received
  std::vector<Route> read;  // from which partner
  std::vector<char> copies; // where MeshRelation::is_measured: those that a lower rank reads, too
  std::vector<PlannedMapping> mappings;
  LocalIndex num_transferred = 0; // vertices that came for the search
  Accessed accessed;              // those that the solver has access to
  std::optional<HeldMesh> held;   // its elements only where MeshRelation::is_held
};

/// Makes the mapping object that searches a mesh.
using MakeMapping =
    std::function<std::unique_ptr<mapping::Mapping>(const config::Mapping&, const mesh::Mesh&)>;
/// The provided mesh of this participant by name.
using FindMesh = std::function<const mesh::Mesh&(const std::string&)>;
/// The regions of received meshes that the solver has access to, by mesh.
using Regions = std::map<std::string, geometry::Box>;

/// What is remembered of the searches of a relation.
struct SearchMemory {
  struct One {
    mesh::Mesh own;                                // the vertices that searched
    std::optional<mapping::MovingNearest> nearest; // nearest neighbours
    mapping::Interpolation result;                 // of other mappings
    std::vector<LocalIndex> moved;                 // noted, not searched yet
    transfer::Origins origins;
  };
  std::deque<One> all; // searches point into it while it grows
};

/// What the receiver remembers of a plan, for the next one.
struct ReceptionMemory {
  transfer::TransferredMesh received;
  std::vector<geometry::Box> region;                       // where vertices matter to this rank
  std::map<std::string, std::vector<geometry::Box>> boxes; // around own meshes
  double margin = 0;
  transfer::Displacement displacement;
  SearchMemory searches;
  std::vector<SentList> read;          // by part
  std::vector<LocalIndex> numbers;     // by received vertex: its copy, or -1
  std::vector<std::int32_t> num_users; // by received vertex: rows that take it
};

/// Collective, together with provide_mesh() on the provider's side. Error on all ranks of both
/// sides if places are looked for on a mesh without vertices. `memory` and `last` as there.
[[nodiscard]] ReceivedPlan receive_mesh(partner::Connection& provider,
                                        const transfer::MeshRelation& relation,
                                        const FindMesh& own_mesh, const MakeMapping& make_mapping,
                                        const Regions& regions,
                                        std::optional<ReceptionMemory>* memory, ReceivedPlan last);

/// Notes which vertices of own meshes have moved since the last plan, of those for which
/// `is_reset`. `several`: this participant has more ranks than this one.
void note_changes(ReceptionMemory& memory, const FindMesh& own_mesh,
                  const std::function<bool(const std::string&)>& is_reset, bool several,
                  transfer::Changes& changes);

/// Plans again with those who provide the mesh to this rank, where something has moved in its
/// region and the changes are small; nobody else takes part. Makes `plan` of the last one, and adds
/// the links on which other values than before travel to `changed`. `comes`: the provider has reset
/// the mesh and tells in `bundles` what has moved; who needs what is put there.
void patch_reception(partner::Connection& provider, const transfer::MeshRelation& relation,
                     const FindMesh& own_mesh, const MakeMapping& make_mapping,
                     std::optional<ReceptionMemory>& memory, ReceivedPlan& plan, bool comes,
                     transfer::Bundles& bundles, std::set<transport::LinkId>& changed);

} // namespace isthmus::planning
