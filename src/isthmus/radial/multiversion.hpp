// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A function with this attribute is compiled for several kinds of processors; the best one that the
// machine has is chosen when the program starts. A simulation counts messages, not instructions.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(ISTHMUS_SIMULATED)
#define ISTHMUS_MULTIVERSION __attribute__((target_clones("avx512f", "fma", "default"), flatten))
#else
#define ISTHMUS_MULTIVERSION
#endif
