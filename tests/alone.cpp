// SPDX-License-Identifier: BSD-3-Clause
// No MPI here: the cases fork and kill processes and run participants in threads.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
