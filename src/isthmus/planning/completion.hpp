// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/search/inputs.hpp"

#include <span>

namespace isthmus::planning {

/// Collective over the receiver's ranks. Makes what takes long, weights and systems, after the
/// provider was sent all that it waits for. Ranks fail together.
void complete(partner::Context& context, const MappingFactory& mappings,
              std::span<PlannedMapping> planned);

} // namespace isthmus::planning
