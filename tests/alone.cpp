// SPDX-License-Identifier: BSD-3-Clause
// No MPI here: the cases fork and kill processes and run participants in threads.
#define DOCTEST_CONFIG_IMPLEMENT
#include "checks.hpp"

#include <doctest/doctest.h>

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int failed = context.run();
  const bool all = context.shouldExit() || // they were only listed
                   (has_what_was_asked(checks(), argc, argv, true) && all_check(checks(), true));
  return exit_code(all ? failed : 1);
}
