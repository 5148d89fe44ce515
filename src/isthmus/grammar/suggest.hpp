// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace isthmus::grammar {

/// Number of letters to insert, delete, replace or swap with the neighbour
/// (doi:10.1145/363958.363994).
[[nodiscard]] int edit_distance(std::string_view one, std::string_view other);

/// "; did you mean \"x\"?" if a candidate is close or contains the word, else nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

/// End of a message about an unknown word: did_you_mean() and the candidates while they are few.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string> candidates);

} // namespace isthmus::grammar
