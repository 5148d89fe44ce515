// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/message_set.hpp"
#include "isthmus/partner/connection.hpp"

namespace isthmus::fields {

/// Collective over both participants. A rank that gets no data from the partner in a step
/// asks the rank that speaks for it to notify it; `receives`: this one gets data.
[[nodiscard]] Listeners find_listeners(partner::Connection& partner, bool receives);

} // namespace isthmus::fields
