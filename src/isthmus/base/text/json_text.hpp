// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace isthmus {

/// A text as JSON writes it, with its quotes.
[[nodiscard]] std::string json_text(std::string_view text);

} // namespace isthmus
