// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isthmus {

[[nodiscard]] std::string host_name();
/// Equal for processes that share a running kernel and a host name.
[[nodiscard]] std::string host_id();
/// Equal for processes that see each other's process ids.
[[nodiscard]] std::string process_space();
/// Clock ticks since the boot at which a process started; 0 if there is none of this id (any more).
[[nodiscard]] std::uint64_t start_time(int pid);
/// How long ago a process started, from what start_time() says.
[[nodiscard]] double seconds_since_start(std::uint64_t start_time);

/// Random bytes of the system that nobody can guess. Throws Error where it gives none.
void fill_at_random(std::span<std::byte> bytes);

/// 128 random bits that nobody can guess.
using Token = std::array<std::byte, 16>;

[[nodiscard]] Token make_token();
[[nodiscard]] std::string to_hex(const Token& token);
/// Throws Error unless `text` is 32 hexadecimal digits.
[[nodiscard]] Token token_from_hex(std::string_view text);

} // namespace isthmus
