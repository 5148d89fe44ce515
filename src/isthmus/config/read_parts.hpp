// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/config/node.hpp"

/// Parts of read(), one source file each.
namespace isthmus::config {

[[nodiscard]] Mapping read_mapping(const Node& node);
[[nodiscard]] Participant read_participant(const Node& node);
[[nodiscard]] CouplingScheme read_scheme(const Node& node);

} // namespace isthmus::config
