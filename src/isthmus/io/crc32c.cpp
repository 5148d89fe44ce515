// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/crc32c.hpp"

#include <array>
#include <cstring>

namespace isthmus::io {

namespace {

/// What a byte does to the checksum.
constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78U : 0U);
    }
    table[byte] = rest;
  }
  return table;
}

std::uint32_t by_table(std::span<const std::byte> bytes, std::uint32_t crc) {
  static constexpr auto table = make_table();
  for (const std::byte byte : bytes) {
    crc = crc >> 8 ^ table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 255];
  }
  return crc;
}

#ifdef __x86_64__
/// The processor's own instruction, eight bytes at a time.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                               std::uint32_t crc) {
  std::uint64_t wide = crc;
  while (bytes.size() >= sizeof wide) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes = bytes.subspan(sizeof wide);
  }
  return by_table(bytes, static_cast<std::uint32_t>(wide));
}
#endif

} // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("sse4.2")) {
    return ~by_instruction(bytes, ~before);
  }
#endif
  return ~by_table(bytes, ~before);
}

} // namespace isthmus::io
