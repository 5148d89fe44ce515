// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/kernels/kernels.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/radial/kernels/vector_kernels.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace isthmus::radial {

namespace {

constexpr const char* variable = "ISTHMUS_INSTRUCTIONS";

constexpr std::array<std::pair<std::string_view, Instructions>, 3> names{
    {{"plain", Instructions::plain},
     {"avx2", Instructions::avx2},
     {"avx512", Instructions::avx512}}};

std::string_view name_of(Instructions instructions) {
  return names[static_cast<std::size_t>(instructions)].first;
}

} // namespace

bool has(Instructions instructions) {
#ifdef __x86_64__
  switch (instructions) {
    case Instructions::plain:
      return true;
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case Instructions::avx512:
      return has(Instructions::avx2) && __builtin_cpu_supports("avx512f") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0;
  }
#endif
  return instructions == Instructions::plain;
}

const Kernels& kernels_of(Instructions instructions) {
  check(has(instructions),
        "environment variable {}=\"{}\" names instructions that this processor does not have",
        variable, name_of(instructions));
#ifdef __x86_64__
  if (instructions == Instructions::avx512) {
    return avx512_kernels();
  }
  if (instructions == Instructions::avx2) {
    return avx2_kernels();
  }
#endif
  return plain_kernels();
}

const Kernels& kernels_named(const char* text) {
  if (text == nullptr) {
    return kernels_of(has(Instructions::avx512) ? Instructions::avx512
                      : has(Instructions::avx2) ? Instructions::avx2
                                                : Instructions::plain);
  }
  for (const auto& [name, instructions] : names) {
    if (name == text) {
      return kernels_of(instructions);
    }
  }
  fail("environment variable {}=\"{}\" is none of plain, avx2, avx512", variable, text);
}

void check_instructions() {
  static_cast<void>(kernels_named(environment_variable(variable)));
}

const Kernels& kernels() {
  static const Kernels& chosen = kernels_named(environment_variable(variable));
  return chosen;
}

} // namespace isthmus::radial
