// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target; start it with some block files as corpus:
//   build/fuzz/tests/block_fuzzer -max_total_time=60 corpus/
// The checksum of the header is made right, otherwise nothing would get past it.
#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/io/blocks/block_index.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> copy(data, data + size);
  const auto bytes = std::as_bytes(std::span(copy));
  if (size >= isthmus::io::block_header_size) {
    const std::size_t end = isthmus::io::block_header_size - sizeof(std::uint32_t);
    const std::uint32_t crc = isthmus::crc32c(bytes.first(end));
    std::memcpy(copy.data() + end, &crc, sizeof crc);
  }
  try {
    (void)isthmus::io::parse_index(bytes, size);
  } catch (const isthmus::Error&) { // the only way out
  }
  return 0;
}
