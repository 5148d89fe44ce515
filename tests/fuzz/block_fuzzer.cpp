// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target; start it with some block files as corpus:
//   build/fuzz/tests/block_fuzzer -max_total_time=60 corpus/
#include "isthmus/base/error.hpp"
#include "isthmus/io/block_index.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)isthmus::io::parse_index(std::as_bytes(std::span(data, size)), size);
  } catch (const isthmus::Error&) { // the only way out
  }
  return 0;
}
