// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define PRECICE_API __attribute__((visibility("default")))
#else
#define PRECICE_API
#endif
