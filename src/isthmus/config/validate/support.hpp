// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::config {

/// Error "file:line: … is not supported yet" for what Isthmus cannot do and concerns `participant`.
/// Assumes a valid configuration. Everything that Isthmus lacks is listed here and nowhere else.
void check_supported(const Configuration& configuration, const std::string& participant);

} // namespace isthmus::config
