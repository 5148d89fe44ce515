// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/progress.hpp"

#include "isthmus/base/clock.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::coupling {

namespace {

constexpr double lines_per_second = 2;
constexpr double quick = 1e-3;                  // seconds after the line before
constexpr double price_of_quick = 25;           // lines
constexpr double kept_for_ends = 30;            // lines
static_assert(kept_for_ends >= price_of_quick); // for the end of a quick window, too

} // namespace

bool LineAllowance::take(double clock, double reserve) {
  const double pause = clock - std::exchange(asked_, clock);
  left_ = std::min(most, left_ + pause * lines_per_second);
  const double price = pause < quick ? price_of_quick : 1;
  if (left_ < price + reserve) {
    return false;
  }
  left_ -= price;
  return true;
}

void Progress::step(int window, int iteration, double time) {
  if (is_due(kept_for_ends)) {
    say(fmt::format("in time window {}{}, time {:.6g}", window,
                    iteration > 0 ? fmt::format(", iteration {}", iteration) : "", time));
  }
}

void Progress::measured(int window, int iteration, const iteration::Convergence& convergence) {
  if (convergence.values().empty()) {
    return;
  }
  if (is_due(kept_for_ends)) {
    say(fmt::format("time window {}, iteration {}: {}", window, iteration, convergence.report()));
  }
}

void Progress::repeat(int window, int iteration, double start) {
  if (is_due(kept_for_ends)) {
    say(fmt::format("time window {} is repeated from time {:.6g} on, iteration {}", window, start,
                    iteration));
  }
}

void Progress::end(int window, Repetitions iterations, double time, bool is_last) {
  if (!is_due(0)) {
    if (!is_last) {
      return;
    }
    left_out_ = std::max(0, left_out_ - 1); // it is not
  }
  std::string after;
  if (iterations.count > 0) {
    after =
        fmt::format(" after {} iteration{}{}", iterations.count, iterations.count == 1 ? "" : "s",
                    iterations.meets_limits ? "" : " without convergence");
  }
  say(fmt::format("time window {} done{}, time {:.6g}", window, after, time));
}

bool Progress::is_due(double reserve) {
  if (log_.is_silent() || log_.rank() != 0) {
    return false;
  }
  if (allowance_.take(now(), reserve)) {
    return true;
  }
  ++left_out_;
  return false;
}

void Progress::say(std::string line) {
  const int left_out = std::exchange(left_out_, 0);
  if (left_out > 0) {
    line += fmt::format(" ({} line{} before left out)", left_out, left_out == 1 ? "" : "s");
  }
  log_.info("{}", line);
}

} // namespace isthmus::coupling
