// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace isthmus::io {

/// Four letters for three bytes, padded with '=' (RFC 4648).
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

} // namespace isthmus::io
