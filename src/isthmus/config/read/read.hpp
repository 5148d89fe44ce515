// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::config {

/// The configuration in an XML file. Error "file:line: …" for what the language does not know; what
/// the names in it refer to is the matter of validate().
[[nodiscard]] Configuration read(const std::string& file);

/// The configuration in a text; `file` is only for messages.
[[nodiscard]] Configuration parse(const std::string& text, const std::string& file);

} // namespace isthmus::config
