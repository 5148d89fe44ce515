// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"

#include <functional>
#include <string>

namespace isthmus::logging {

/// The line of a record, without line end.
using LogFormat = std::function<std::string(const LogRecord&)>;

/// The format of a text such as "(%Rank%) %TimeStamp(format=\"%H:%M:%S\")% %ColorizedSeverity%
/// %Message%". Attributes that records lack (Module, File, …) leave nothing; "%%" is a percent
/// sign. Empty: "%Participant%:%Rank% %Severity% %Message%". Error starting with `place` if the
/// text is not understood.
[[nodiscard]] LogFormat compile_format(const std::string& text, const std::string& place);

} // namespace isthmus::logging
