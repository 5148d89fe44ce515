// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/kernels/make_kernels.hpp"
#include "isthmus/radial/kernels/vector_kernels.hpp"

#ifdef __x86_64__ // compiled with options of its own
namespace isthmus::radial {

namespace {
struct Avx2;
} // namespace

const Kernels& avx2_kernels() {
  static constexpr Kernels result = make_kernels<Avx2, 4>();
  return result;
}

} // namespace isthmus::radial
#endif
