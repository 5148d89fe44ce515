// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

/// What the cases of this process have checked: one that checks nothing fails its program.
struct Checks {
  std::vector<std::string> cases; // that ran
  std::vector<int> counts;
  std::set<std::string> names; // of all cases, whether they ran or not; likewise
  std::set<std::string> files;
  std::set<std::string> suites;
  bool is_excused = false; // the present one says that it cannot be tested on this machine
  int num_excused = 0;
};

/// Filled by a listener while the cases run.
[[nodiscard]] Checks& checks();

/// Whether each case has checked something; `tells` which ones have not.
[[nodiscard]] bool all_check(const Checks& checks, bool tells);

/// Whether a case ran, and each pattern of the filters -tc, -tce, -sf, -sfe, -ts and -tse of this
/// command fits one that there is, so that no case can be renamed away from its filter; `tells`
/// what does not.
[[nodiscard]] bool has_what_was_asked(const Checks& checks, int argc, const char* const* argv,
                                      bool tells);

/// What a program returns that has failed so: CTest is told where a case was excused.
[[nodiscard]] int exit_code(int failed);
