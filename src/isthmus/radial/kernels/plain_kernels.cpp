// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/kernels/make_kernels.hpp"
#include "isthmus/radial/kernels/vector_kernels.hpp"

namespace isthmus::radial {

namespace {
struct Plain;
} // namespace

const Kernels& plain_kernels() {
  static constexpr Kernels result = make_kernels<Plain, 2>();
  return result;
}

} // namespace isthmus::radial
