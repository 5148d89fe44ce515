// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace isthmus::count {

/// One more message from here: from the functions that are being called now.
void count_place();

/// A line for each place: how many messages, and by tabs the functions, the innermost first, by
/// their names in the libraries; where that is not known, the file in brackets.
void write_places(const std::string& path);

} // namespace isthmus::count
