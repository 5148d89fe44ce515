// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <map>
#include <string>

namespace isthmus::mesh {

/// The meshes that this participant provides, by name. Somebody else owns them, and keeps them
/// where they are.
class OwnMeshes {
 public:
  void add(const Mesh& mesh) { meshes_.emplace(mesh.name(), &mesh); }
  [[nodiscard]] const Mesh& at(const std::string& name) const {
    const auto found = meshes_.find(name);
    check(found != meshes_.end(), "there is no own mesh \"{}\"", name);
    return *found->second;
  }

 private:
  std::map<std::string, const Mesh*> meshes_;
};

} // namespace isthmus::mesh
