// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/grammar/node.hpp"

/// Parts of read(), one source file each.
namespace isthmus::config {

[[nodiscard]] Mapping read_mapping(const grammar::Node& node);
[[nodiscard]] Participant read_participant(const grammar::Node& node);
[[nodiscard]] CouplingScheme read_scheme(const grammar::Node& node);

} // namespace isthmus::config
