// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/inputs.hpp"
#include "isthmus/planning/integrals.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/transfer/mesh_relation.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <map>
#include <vector>

namespace isthmus::planning {

/// Makes rows of what the uses of a received mesh have found.
class MappingPlanner {
 public:
  /// Waits for the awards, and integrates where a use is scaled, which is collective. The arguments
  /// must outlive the object.
  MappingPlanner(partner::Context& context, const transfer::MeshRelation& relation,
                 const OwnMeshes& meshes, const transfer::TransferredMesh& received,
                 Searches& searches);

  /// The mapping of a use, on received vertices; takes away what was found for it. Collective where
  /// owners_matter(), or what is found is gathered. Marks the received vertices that it reads.
  [[nodiscard]] PlannedMapping plan(std::size_t use, std::vector<char>& needed);

 private:
  [[nodiscard]] PlannedMapping plan_read(std::size_t use, std::vector<char>& needed);
  [[nodiscard]] PlannedMapping plan_write(std::size_t use);
  /// Whether this rank was awarded a vertex that looked for its place for a use.
  [[nodiscard]] bool is_awarded(std::size_t use, std::size_t vertex) const {
    return awarded_[use].empty() || awarded_[use][vertex] != 0;
  }

  partner::Context& context_;
  const transfer::MeshRelation& relation_;
  const transfer::TransferredMesh& received_;
  Searches& searches_;
  std::vector<std::vector<char>> awarded_;     // by use and received vertex; empty where all are
  std::map<std::size_t, Integrals> integrals_; // by use that is scaled
};

} // namespace isthmus::planning
