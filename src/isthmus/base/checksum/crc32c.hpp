// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus {

/// CRC-32C (Castagnoli, RFC 3720) of `bytes` behind those whose checksum is `before`.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The checksum of bytes whose beginning has the checksum `first` and whose other `count` bytes
/// have `second`: pieces may be summed up where they are.
[[nodiscard]] std::uint32_t joined_crc32c(std::uint32_t first, std::uint32_t second,
                                          std::uint64_t count);

} // namespace isthmus
