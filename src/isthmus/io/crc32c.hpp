// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::io {

/// CRC-32C (Castagnoli, RFC 3720) of `bytes` behind those whose checksum is `before`.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

} // namespace isthmus::io
