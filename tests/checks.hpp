// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

/// What the cases of this process have checked: one that checks nothing fails its program.
struct Checks {
  std::vector<std::string> cases;
  std::vector<int> counts;
  bool is_excused = false; // the present one says that it cannot be tested on this machine
  int num_excused = 0;
};

/// Filled by a listener while the cases run.
[[nodiscard]] Checks& checks();

/// Whether each case has checked something; `tells` which ones have not.
[[nodiscard]] bool all_check(const Checks& checks, bool tells);

/// What a program returns that has failed so: CTest is told where a case was excused.
[[nodiscard]] int exit_code(int failed);
