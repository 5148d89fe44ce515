// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

/// What the binary formats have in common.
namespace isthmus::io {

/// The first bytes of a file: what it is, and whether this machine can read it.
struct FileMark {
  std::array<char, 8> magic;
  std::uint32_t byte_order;
  std::uint32_t version;
};

constexpr FileMark make_mark(std::string_view magic) {
  FileMark mark{{}, 0x01020304, 1};
  std::copy_n(magic.begin(), mark.magic.size(), mark.magic.begin());
  return mark;
}

/// Throws Error unless `found` is `expected`, which marks `kind`.
inline void check_mark(const FileMark& found, const FileMark& expected, std::string_view kind) {
  check(found.magic == expected.magic, "it is not {}", kind);
  check(found.byte_order == expected.byte_order,
        "it was written on a machine of another byte order; read it there");
  check(found.version == expected.version, "it has version {}, version {} can be read",
        found.version, expected.version);
}

/// The CRC-32C of all that stands before the member `crc`.
template <typename T>
[[nodiscard]] std::uint32_t crc_of(const T& fields) {
  const auto bytes = std::as_bytes(std::span(&fields, 1));
  const auto* end = reinterpret_cast<const std::byte*>(&fields.crc);
  return crc32c(bytes.first(static_cast<std::size_t>(end - bytes.data())));
}

/// What `work` returns; its errors say which file cannot be read.
template <typename Work>
auto reading(const std::filesystem::path& path, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    fail("\"{}\" cannot be read: {}", path.string(), error.what());
  }
}

} // namespace isthmus::io
