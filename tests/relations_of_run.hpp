// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transfer/mesh_relation.hpp"

#include <vector>

namespace isthmus {

/// Those of a whole configuration.
inline std::vector<transfer::MeshRelation> relations_of_run(
    const config::Configuration& configuration) {
  return transfer::mesh_relations(configuration.participants, configuration.meshes,
                                  configuration.m2ns, configuration.schemes,
                                  configuration.run.allow_remeshing);
}

} // namespace isthmus
