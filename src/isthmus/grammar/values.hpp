// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// Texts of attributes as values. Empty: the text is none. Space around a value does not count.
namespace isthmus::grammar {

/// Without the space around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// true, yes, on, 1 and false, no, off, 0, in any case.
[[nodiscard]] std::optional<bool> to_boolean(std::string_view text);
[[nodiscard]] std::optional<int> to_integer(std::string_view text);
/// Infinity is a number ("inf"), "nan" is not.
[[nodiscard]] std::optional<double> to_real(std::string_view text);
/// Numbers separated by semicolons.
[[nodiscard]] std::optional<std::vector<double>> to_vector(std::string_view text);

} // namespace isthmus::grammar
