// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/checksum/crc32c.hpp"

#include <array>
#include <cstring>

namespace isthmus {

namespace {

constexpr std::uint32_t polynomial = 0x82f63b78; // bits reversed: x^31 is the lowest

/// What a byte does to the checksum.
constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = rest >> 1 ^ (rest & 1 ? polynomial : 0);
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

/// The product of two polynomials over GF(2), modulo the polynomial of the checksum.
std::uint32_t polynomial_product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 1U << 31; bit != 0; bit >>= 1) {
    result ^= a & bit ? b : 0;
    b = b >> 1 ^ (b & 1 ? polynomial : 0);
  }
  return result;
}

} // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("sse4.2")) {
    return ~by_instruction(bytes, ~before);
  }
#endif
  return ~by_table(bytes, ~before);
}

std::uint32_t joined_crc32c(std::uint32_t first, std::uint32_t second, std::uint64_t count) {
  std::uint32_t power = 1U << 23; // x^8: a byte
  for (; count > 0; count >>= 1) {
    first = count & 1 ? polynomial_product(power, first) : first;
    power = polynomial_product(power, power);
  }
  return first ^ second;
}

} // namespace isthmus
