// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <map>
#include <span>
#include <vector>

namespace isthmus::planning {

struct OwnersOfVertices;

/// Collects which own vertices add to which vertices of the provider and makes rows of it, one per
/// vertex that this rank writes. Where several ranks add to one vertex, its owner gets all weights
/// and, in every step, the values of the others by a halo, so that each vertex is summed on one
/// rank in an order that depends on coordinates only.
class Contributions {
 public:
  Contributions(partner::Context& context, int dimensions, std::span<const transfer::Part> parts,
                const mesh::Mesh& own);

  /// Vertex `row` (of the transferred mesh) takes `weight` of own vertex `column`.
  void add(LocalIndex row, LocalIndex column, double weight) {
    entries_.push_back({row, column, weight});
  }

  /// Columns beyond the own vertices are these ghosts.
  void take(GatheredGhosts ghosts) {
    halo_ = std::move(ghosts.halo);
    ghost_coordinates_ = std::move(ghosts.coordinates);
  }

  /// The rows, and the vertices that are written from here. Collective over the receiver's ranks
  /// where owners_matter().
  [[nodiscard]] PlannedMapping finish(const transfer::MappingUse& use);

 private:
  struct Shipment; // a weight that goes to the owner of its row

  void agree_on_owners(std::vector<char>& written);
  void exchange_shipments(const std::map<int, std::vector<Shipment>>& leaving,
                          const OwnersOfVertices& owners);

  partner::Context& context_;
  int dimensions_;
  std::span<const transfer::Part> parts_;
  const mesh::Mesh& own_;
  std::vector<mapping::Entry> entries_;
  std::vector<double> ghost_coordinates_;
  exchange::Halo halo_;
};

} // namespace isthmus::planning
