// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/pause.hpp"

#include "isthmus/base/environment.hpp"

#include <thread>

namespace isthmus::comm {

namespace {

[[maybe_unused]] void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace

SpinPolicy SpinPolicy::for_processes(int num_local) {
  SpinPolicy policy;
  policy.yield = num_local > static_cast<int>(std::thread::hardware_concurrency());
  if (const auto time = environment_number("ISTHMUS_SPIN_US", {0}, "number of microseconds")) {
    policy.seconds = *time * 1e-6;
  }
  return policy;
}

bool Pause::spin() {
#ifdef ISTHMUS_SIMULATED
  return false; // time stands still while a simulated rank computes
#else
  constexpr int looks_per_clock = 8;
  if (policy_.yield) {
    std::this_thread::yield();
  } else {
    relax();
  }
  if (++looks_ % looks_per_clock != 0) {
    return true;
  }
  look_at_clock();
  return time_ - idle_since_ < policy_.seconds;
#endif
}

void Pause::reset() {
  idle_s_ += time_ - idle_since_;
  idle_since_ = 0;
  time_ = 0;
  looks_ = 0;
}

double Pause::left() {
  look_at_clock();
  return limit_s_ - (time_ - begin_);
}

void Pause::look_at_clock() {
  time_ = now();
  begin_ = begin_ == 0 ? time_ : begin_;
  idle_since_ = idle_since_ == 0 ? time_ : idle_since_;
}

} // namespace isthmus::comm
