// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::config {

/// Error "file:line: …" unless all names refer to something and all rules of a coupled run hold.
void validate(const Configuration& configuration);

/// Error unless `participant` can run on `size` ranks. Assumes a valid configuration.
void validate_for(const Configuration& configuration, const std::string& participant, int size);

} // namespace isthmus::config
