// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace isthmus {

/// Within a catch block: what to report to the user and the partners about what was thrown. The
/// text of an Error; of anything else, which nobody foresaw, its kind and what to do about it.
[[nodiscard]] std::string current_reason() noexcept;

} // namespace isthmus
