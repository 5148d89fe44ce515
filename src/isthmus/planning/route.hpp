// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/transport/hub.hpp"

#include <vector>

namespace isthmus::planning {

/// The entries that travel between this rank and one rank of a partner, for one direction of one
/// relation. Where `vertices` is empty the entries are `first` to `first + count - 1`: a receiver
/// of a mesh numbers its ghosts by partner, so that whatever comes from one partner is contiguous.
struct Route {
  transport::LinkId link = -1;
  LocalIndex first = 0;
  LocalIndex count = 0;
  std::vector<LocalIndex> vertices;
};

} // namespace isthmus::planning
