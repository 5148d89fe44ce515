// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace isthmus::outputs {

/// Where a participant stands after initialize() or an advance().
struct Moment {
  double time = 0;
  int advances = 0;              // calls so far; 0 after initialize()
  int windows = 0;               // completed
  bool completes_window = false; // just now
  bool repeats_window = false;   // an iteration ended that was not the last
};

} // namespace isthmus::outputs
