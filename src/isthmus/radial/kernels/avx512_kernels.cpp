// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/kernels/make_kernels.hpp"
#include "isthmus/radial/kernels/vector_kernels.hpp"

#ifdef __x86_64__ // compiled with options of its own
namespace isthmus::radial {

namespace {
struct Avx512;
} // namespace

const Kernels& avx512_kernels() {
  static constexpr Kernels result = make_kernels<Avx512, 8>();
  return result;
}

} // namespace isthmus::radial
#endif
