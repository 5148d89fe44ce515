// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/checksum/crc32c.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>

using namespace isthmus;

TEST_CASE("CRC-32C has its published values") {
  const auto of = [](std::string_view text) { return crc32c(std::as_bytes(std::span(text))); };
  CHECK(of("123456789") == 0xe3069283U);
  CHECK(of(std::string(32, '\0')) == 0x8a9136aaU);
  CHECK(of("") == 0);
  const std::string text = "The quick brown fox jumps over the lazy dog, twice and once more.";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const auto bytes = std::as_bytes(std::span(text));
    REQUIRE(crc32c(bytes.subspan(cut), crc32c(bytes.first(cut))) == of(text));
  }
}

TEST_CASE("checksums of pieces join") {
  const std::string text = "some bytes that are summed up in two pieces";
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    REQUIRE(joined_crc32c(crc32c(bytes.first(cut)), crc32c(bytes.subspan(cut)),
                          bytes.size() - cut) == crc32c(bytes));
  }
}
