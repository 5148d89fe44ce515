// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/config/config.hpp"

#include <string>
#include <string_view>

namespace isthmus::participant {

/// What a scheme does, in a sentence without its end: members, windows, iterations, limits.
[[nodiscard]] std::string sentence_of(const config::CouplingScheme& scheme);

/// Says in the log which library runs which participant of which file, and its schemes.
/// `interface`: see CallNames.
void introduce(const Log& log, const config::Configuration& configuration,
               const config::Participant& self, int num_ranks, std::string_view interface);

} // namespace isthmus::participant
