// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace isthmus::io {

std::string base64(std::span<const std::byte> bytes) {
  constexpr const char* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t present = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < present; ++k) {
      group |= std::to_integer<std::uint32_t>(bytes[i + k]) << (16 - 8 * k);
    }
    for (std::size_t k = 0; k <= present; ++k) {
      out[k] = letters[group >> (18 - 6 * k) & 63];
    }
    out += 4;
  }
  return text;
}

} // namespace isthmus::io
