// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::planning {

struct PlannedMapping; // its header includes this one

/// Who of the receiver's ranks owns which vertex to which this rank contributes.
struct OwnersOfVertices {
  std::vector<std::int32_t> owner;  // by transferred vertex; this rank where it does not contribute
  std::vector<std::int32_t> vertex; // its number on the provider's rank, likewise; else -1
  /// The transferred vertex by rank of the provider and number there.
  std::map<std::pair<std::int32_t, std::int32_t>, LocalIndex> known;
};

/// Asks the provider. `contributed`: by transferred vertex, 1 if this rank contributes.
[[nodiscard]] OwnersOfVertices ask_for_owners(partner::Context& context,
                                              std::span<const transfer::Part> parts,
                                              std::span<const char> contributed);

/// Collects which own vertices add to which vertices of the provider and makes rows of it, one per
/// vertex that this rank writes. Where several ranks add to one vertex, its owner gets all weights
/// and, in every step, the values of the others by a halo, so that each vertex is summed on one
/// rank in an order that depends on coordinates only.
class Contributions {
 public:
  /// The context and the own mesh must outlive the object.
  Contributions(partner::Context& context, int dimensions, std::span<const transfer::Part> parts,
                const mesh::Mesh& own);

  /// Columns beyond the own vertices are these ghosts.
  void take(OwnMeshGhosts ghosts) {
    halo_ = std::move(ghosts.halo);
    ghost_coordinates_ = std::move(ghosts.coordinates);
  }

  /// Vertex `row` (of the transferred mesh) will take something: a vertex is named before it gets
  /// weights.
  void name(LocalIndex row) { named_[static_cast<std::size_t>(row)] = 1; }
  /// All are named. Returns those that are written from here, ascending. Together with the provider
  /// where owners_matter().
  [[nodiscard]] std::vector<LocalIndex> vertices(const protocol::MappingUse& use);

  /// Own vertices add to those of the transferred mesh that they have found.
  void add(const mapping::Interpolation& found);
  /// Vertices of the transferred mesh take own ones, or ghosts, that they have found.
  void add_taken(const mapping::Interpolation& found);
  struct Result {
    mapping::Rows rows; // by vertex that is written
    exchange::Halo halo;
  };
  /// All are added. Collective over the receiver's ranks where owners_matter(). To be called once.
  [[nodiscard]] Result finish();

 private:
  struct Shipment; // a weight that goes to the owner of its row

  void send_to_owners();
  LocalIndex take_shipments(std::span<const Shipment> shipments, LocalIndex first);

  partner::Context& context_;
  int dimensions_;
  std::vector<transfer::Part> parts_;
  const mesh::Mesh& own_;
  std::vector<char> named_;                // by transferred vertex; then: and written from here
  std::optional<OwnersOfVertices> owners_; // where they matter
  std::vector<mapping::Entry> entries_;
  std::vector<double> ghost_coordinates_;
  exchange::Halo halo_;
};

/// Collective over the receiver's ranks. Where vertices_are_joined(): the mappings that write hand
/// their values over in each step: those of a vertex to its owner. The provider learns who writes.
void join_vertices(partner::Context& context, std::span<const transfer::Part> parts,
                   std::span<PlannedMapping> mappings);

} // namespace isthmus::planning
