// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/waiter.hpp"

#include <ctime>
#include <thread>

namespace isthmus::transport {

void Waiter::look() const {
  if (watch_) {
    watch_();
  }
}

void Waiter::note(double seconds) {
  wait_s_ += seconds;
  const Link* const last = links_.last_moved();
  if (seconds > 0 && trace_ != nullptr && trace_->records(Detail::phases) && last != nullptr) {
    const double end = now();
    trace_->record("wait for " + last->peer().participant, end - seconds, end);
  }
}

#ifdef ISTHMUS_SIMULATED
const double Waiter::last_wait_s = -1; // others may wait in MPI, where nothing ends a wait
void Waiter::rest(double /*limit_s*/,
                  double /*looked_s*/) { // the simulator knows when nothing can happen any more
  std::vector<MPI_Request> requests;
  std::vector<MPI_Request*> origins;
  for (const auto& link : links_.all()) {
    for (MPI_Request& request : link->channel().requests()) {
      requests.push_back(request);
      origins.push_back(&request);
    }
  }
  int index = MPI_UNDEFINED;
  MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
  if (index != MPI_UNDEFINED) {
    *origins[static_cast<std::size_t>(index)] = requests[static_cast<std::size_t>(index)];
  }
}
#else
const double Waiter::last_wait_s = 1;
void Waiter::rest(double limit_s, double looked_s) {
  polls_.clear();
  bool sleepy = true;
  bool blind = false; // some channel cannot wake us
  for (const auto& link : links_.all()) {
    if (link->state() == Link::State::open) {
      const short events = link->channel().arm();
      sleepy &= events != 0;
      blind |= link->channel().descriptor() < 0;
      polls_.push_back({link->channel().descriptor(), events, 0});
    }
  }
  if (sleepy && blind) {
    doze(looked_s);
  } else if (sleepy) {
    const timespec limit{0, static_cast<long>(limit_s * 1e9)}; // less than a second
    ::ppoll(polls_.data(), polls_.size(), &limit, nullptr);
  }
  for (const auto& link : links_.all()) {
    if (link->state() == Link::State::open) {
      link->channel().disarm();
    }
  }
}

// For a moment, where nobody can wake us. Where others want the core, it is better to sleep and to
// look seldom: then `looked_s`, for which we have looked since the last sleep, is long.
void Waiter::doze(double looked_s) {
  constexpr timespec nap{0, 100'000};
  crowd_.looked(looked_s);
  if (crowd_.is_here()) {
    ::ppoll(polls_.data(), polls_.size(), &nap, nullptr);
  } else {
    ::poll(polls_.data(), polls_.size(), 0);
    std::this_thread::yield();
  }
}
#endif

} // namespace isthmus::transport
