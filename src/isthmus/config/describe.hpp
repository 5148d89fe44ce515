// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::config {

/// What a valid configuration makes happen, as JSON: participants with their meshes, data and
/// mappings, meshes with who provides and receives them, m2ns, schemes and exchanges.
[[nodiscard]] std::string describe(const Configuration& configuration);

} // namespace isthmus::config
