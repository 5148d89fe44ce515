// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/progress.hpp"

#include "isthmus/base/clock.hpp"

#include <string>

namespace isthmus::coupling {

namespace {

constexpr double pause = 0.5; // seconds between two lines

} // namespace

void Progress::step(int window, int iteration, double time) {
  if (is_due()) {
    log_.info("in time window {}{}, time {:.6g}", window,
              iteration > 0 ? fmt::format(", iteration {}", iteration) : "", time);
  }
}

void Progress::repeat(int window, int iteration, double start) {
  if (is_due()) {
    log_.info("time window {} is repeated from time {:.6g} on, iteration {}", window, start,
              iteration);
  }
}

/// Lines within a window do not put off those of its end.
void Progress::end(int window, int iterations, double time, bool is_last) {
  const double clock = now();
  if (!is_last && clock - last_end_ < pause) {
    return;
  }
  last_ = clock;
  last_end_ = clock;
  log_.info("time window {} done{}, time {:.6g}", window,
            iterations > 0
                ? fmt::format(" after {} iteration{}", iterations, iterations == 1 ? "" : "s")
                : "",
            time);
}

bool Progress::is_due() {
  const double clock = now();
  if (clock - last_ < pause) {
    return false;
  }
  last_ = clock;
  return true;
}

} // namespace isthmus::coupling
