// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/node.hpp"

#include <string>

namespace isthmus::config {

/// 16 hexadecimal digits, equal for files that mean the same: comments, space, the order of
/// attributes, written-out defaults, logs, profiles, exports and watches do not count.
[[nodiscard]] std::string fingerprint(const grammar::Node& root);

/// The same with a line for each element of `root`, in front of its fingerprint.
[[nodiscard]] std::string digest(const grammar::Node& root);

/// The same of what a run must have in common with the one that it continues: without <m2n:…>,
/// <max-time> and <max-time-windows>.
[[nodiscard]] std::string case_digest(const grammar::Node& root);

} // namespace isthmus::config
