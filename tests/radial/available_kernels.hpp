// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/make_kernels.hpp"
#include "isthmus/radial/kernels/vector_kernels.hpp"

#include <string>
#include <utility>
#include <vector>

namespace {

struct OfTests;

/// The kernels of each set of instructions that this processor has, and the code of the wide ones
/// for any.
inline std::vector<std::pair<std::string, isthmus::radial::Kernels>> available_kernels() {
  using isthmus::radial::Instructions;
  using isthmus::radial::make_kernels;
  std::vector<std::pair<std::string, isthmus::radial::Kernels>> all;
  for (const Instructions each : {Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    if (has(each)) {
      all.emplace_back("set " + std::to_string(static_cast<int>(each)), kernels_of(each));
    }
  }
  all.emplace_back("four numbers, any processor", make_kernels<OfTests, 4>());
  all.emplace_back("eight numbers, any processor", make_kernels<OfTests, 8>());
  return all;
}

} // namespace
