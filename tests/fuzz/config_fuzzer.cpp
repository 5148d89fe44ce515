// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target; start it with the configurations of tests/config as corpus:
//   build/fuzz/tests/config_fuzzer -max_total_time=60 corpus/ tests/config/
#include "isthmus/base/error.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/config/validate/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    isthmus::config::validate(isthmus::config::parse(text, "fuzz.xml"));
  } catch (const isthmus::Error&) { // the only way out
  }
  return 0;
}
