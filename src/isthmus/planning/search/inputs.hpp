// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/own_meshes.hpp"
#include "isthmus/protocol/messages.hpp"

#include <map>
#include <memory>
#include <string>

namespace isthmus::planning {

/// Makes the mappings that search a mesh; who knows all their kinds is above this module.
class MappingFactory {
 public:
  MappingFactory() = default;
  MappingFactory(const MappingFactory&) = delete;
  MappingFactory& operator=(const MappingFactory&) = delete;
  virtual ~MappingFactory() = default;

  [[nodiscard]] virtual std::unique_ptr<mapping::Mapping> make(
      const config::Mapping& settings, const mesh::Mesh& searched) const = 0;

  /// Collective over the ranks that define `own`. What a part of it has to know of the whole: of a
  /// provided mesh for a use that MappingUse::is_surveyed(), of the receiver's own mesh for one
  /// that MappingUse::searches_nearby().
  [[nodiscard]] virtual protocol::Survey survey(const comm::Comm& /*comm*/,
                                                const config::Mapping& /*settings*/,
                                                const mesh::Mesh& /*own*/) const {
    return {};
  }
  /// Of a part of a mesh that was surveyed.
  [[nodiscard]] virtual std::unique_ptr<mapping::Mapping> make_for_part(
      const config::Mapping& settings, const mesh::Mesh& searched,
      const protocol::Survey& /*survey*/) const {
    return make(settings, searched);
  }
};

/// The regions of received meshes that the solver has access to, by mesh.
using Regions = std::map<std::string, geometry::Box>;

/// What this participant brings to its plans.
struct Inputs {
  mesh::OwnMeshes meshes;
  const MappingFactory* mappings = nullptr;
  Regions regions;
};

} // namespace isthmus::planning
