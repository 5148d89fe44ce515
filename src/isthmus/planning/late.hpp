// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/planning/contributions.hpp"
#include "isthmus/planning/search/late_system.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace isthmus::planning {

/// Rows whose weights take long. What they read or write is known, and was sent to the provider.
struct LateRows {
  std::unique_ptr<mapping::LateInterpolation> interpolation; // null: nothing takes long here
  std::vector<LocalIndex> ghosts{}; // where they read: by received vertex its ghost, or -1
  std::optional<Contributions> contributions{}; // where they write
};

/// What a mapping still lacks when its provider has received all that it waits for.
struct Late {
  std::optional<LateRows> rows;
  std::optional<LateSystem> system;
};

} // namespace isthmus::planning
