// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/shown_data.hpp"

#include "isthmus/config/mapped_data.hpp"

#include <algorithm>

namespace isthmus::outputs {

namespace {

bool sends(const std::vector<config::CouplingScheme>& schemes, const std::string& self,
           const std::string& mesh, const std::string& data) {
  return std::any_of(schemes.begin(), schemes.end(), [&](const config::CouplingScheme& scheme) {
    return std::any_of(
        scheme.exchanges.begin(), scheme.exchanges.end(), [&](const config::Exchange& exchange) {
          return exchange.from == self && exchange.mesh == mesh && exchange.data == data;
        });
  });
}

} // namespace

ShownMeshes shown_meshes(const config::Configuration& configuration,
                         const config::Participant& self) {
  ShownMeshes meshes;
  const auto add = [&](const std::string& mesh) {
    std::vector<ShownData>& all = meshes[mesh];
    for (const std::string& data : configuration.find_mesh(mesh)->data) {
      all.push_back({data,
                     sends(configuration.schemes, self.name, mesh, data) || self.writes(data, mesh),
                     config::has_part(configuration, self, data, mesh)});
    }
  };
  for (const config::ProvideMesh& mesh : self.provided) {
    add(mesh.name);
  }
  for (const config::ReceiveMesh& mesh : self.received) {
    add(mesh.name);
  }
  return meshes;
}

} // namespace isthmus::outputs
