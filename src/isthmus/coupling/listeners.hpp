// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/connection.hpp"
#include "isthmus/coupling/message_set.hpp"

namespace isthmus::coupling {

/// Collective over both participants. A rank that gets no data from the partner in a step has
/// itself told by the rank that speaks for it; `hears`: this one gets data.
[[nodiscard]] Listeners find_listeners(Connection& partner, bool hears);

} // namespace isthmus::coupling
