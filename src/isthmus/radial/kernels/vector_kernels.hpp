// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/kernels.hpp"

namespace isthmus::radial {

/// Sources of the same code that are compiled for one set of instructions each.
const Kernels& plain_kernels();
#ifdef __x86_64__
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

} // namespace isthmus::radial
