// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"

#include <functional>
#include <string>

namespace isthmus::logging {

/// Whether a record is written.
using LogFilter = std::function<bool(const LogRecord&)>;

/// The filter of a text such as "%Severity% > debug and not (%Rank% != 0 or %Message% contains x)".
/// Relations: = == != < <= > >= contains begins_with ends_with matches (the whole text a regular
/// expression); severities are trace < debug < info < warning < error. An attribute that records
/// lack (Module, File, …) fulfils no relation. Empty: info and above. Error starting with `place`
/// if the text is not understood.
[[nodiscard]] LogFilter compile_filter(const std::string& text, const std::string& place);

} // namespace isthmus::logging
