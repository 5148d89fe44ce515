// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/protocol/mesh_relation.hpp"

#include <vector>

namespace isthmus {

/// Those of a whole configuration.
inline std::vector<protocol::MeshRelation> relations_of_run(
    const config::Configuration& configuration) {
  return protocol::mesh_relations(configuration.participants, configuration.meshes,
                                  configuration.m2ns, configuration.schemes,
                                  configuration.run.allow_remeshing);
}

} // namespace isthmus
