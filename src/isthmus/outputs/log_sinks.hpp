// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::outputs {

/// A log with the sinks that are configured, or with one to stdout where none is. Throws Error if a
/// file cannot be opened, or a filter or a format is not understood.
[[nodiscard]] Log make_log(const config::Log& settings, const std::string& participant, int rank);

} // namespace isthmus::outputs
