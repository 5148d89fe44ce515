// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <map>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// Data on a mesh, as far as outputs ask.
struct ShownData {
  std::string name;
  bool is_written = false;  // by the solver, or sent
  bool is_exported = false; // the participant has part in it
};

/// The data of the meshes that a participant provides or receives, by mesh; those of a mesh in the
/// order of the configuration.
using ShownMeshes = std::map<std::string, std::vector<ShownData>>;

[[nodiscard]] ShownMeshes shown_meshes(const config::Configuration& configuration,
                                       const config::Participant& self);

} // namespace isthmus::outputs
