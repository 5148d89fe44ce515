// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/pause.hpp"
#include "isthmus/transport/link_set.hpp"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace isthmus::transport {

/// How a rank waits for its links: it looks again and again for a moment, then sleeps until one of
/// them wakes it. What must not be missed meanwhile is looked after by a watch.
class Waiter {
 public:
  Waiter(LinkSet& links, comm::SpinPolicy policy) : links_(links), policy_(policy) {}

  void set_policy(comm::SpinPolicy policy) { policy_ = policy; }
  /// What to do before each sleep, and in look(); it may throw, which ends the wait.
  void set_watch(std::function<void()> watch) { watch_ = std::move(watch); }
  void look() const;
  /// Records waits there, named after the participant whose message ended them.
  void set_trace(Trace* trace) { trace_ = trace; }

  void reserve(int num_links) { polls_.reserve(static_cast<std::size_t>(num_links)); }

  /// Moves with `move` until `done`; before it sleeps it looks at all links. `late` is called with
  /// the time when that is up, and throws.
  template <typename Done, typename Move, typename Late>
  void wait(double timeout_s, Done done, Move move, Late late) {
    wait(timeout_s, done, move, late, [] { return longest_rest_s; });
  }
  /// The same; before it sleeps, `idle` says for how long at most: 0 where it has changed
  /// something.
  template <typename Done, typename Move, typename Late, typename Idle>
  void wait(double timeout_s, Done done, Move move, Late late, Idle idle) {
    comm::Pause pause(policy_, timeout_s);
    while (!done()) {
      const bool crowded = crowd_.is_here();
      if (crowded) {
        pause.left(); // looks may take long
      }
      if (move()) {
        pause.reset();
      } else if ((crowded || !pause.spin()) && !links_.sweep()) {
        const double longest_s = idle();
        if (longest_s == 0) {
          continue;
        }
        const double left = pause.left();
        if (left < 0) {
          late(timeout_s);
        }
        look();
        rest(std::min(std::max(left, 1e-3), longest_s), pause.spin_seconds());
        pause.left();
        pause.reset();
      }
    }
    pause.reset();
    note(pause.idle_seconds());
  }

  [[nodiscard]] double seconds() const { return wait_s_; } ///< in which nothing moved

  static constexpr double longest_rest_s = 0.1; ///< after which a sleeper looks around
  static const double last_wait_s;              ///< of who has failed

 private:
  void note(double seconds);
  void rest(double limit_s, double looked_s);
  void doze(double looked_s);

  LinkSet& links_;
  comm::SpinPolicy policy_;
  std::function<void()> watch_;
  Trace* trace_ = nullptr;
  std::vector<pollfd> polls_;
  comm::Crowd crowd_{1};
  double wait_s_ = 0;
};

} // namespace isthmus::transport
