// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>

namespace isthmus::transport::testing {

/// A process that does `work` and exits: 0 if that threw nothing, else 1 after it said what. Killed
/// and reaped with its owner.
class Child {
 public:
  explicit Child(const std::function<void()>& work) : pid_(fork()) {
    if (pid_ != 0) {
      return;
    }
    int code = 0;
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "a child of the test: %s\n", error.what());
      code = 1;
    }
    _exit(code); // no destructors of what belongs to the parent
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Waits for its end, which its owner still reaps: how it exited, or -1 where a signal ended it.
  [[nodiscard]] int exit_code() const {
    siginfo_t end{};
    waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOWAIT);
    return end.si_code == CLD_EXITED ? end.si_status : -1;
  }

 private:
  pid_t pid_;
};

/// What a Child waits for until its maker, or the end of that, gives it; or the maker until the
/// Child does. Made before the Child.
class Cue {
 public:
  Cue() {
    if (pipe(ends_) != 0) {
      throw std::runtime_error("the test gets no pipe");
    }
  }
  Cue(const Cue&) = delete;
  Cue& operator=(const Cue&) = delete;
  ~Cue() {
    give();
    close(ends_[0]);
  }

  void give() {
    if (ends_[1] >= 0) {
      close(std::exchange(ends_[1], -1));
    }
  }
  /// In the one that waits.
  void await() {
    give(); // its own end
    char none = 0;
    while (read(ends_[0], &none, 1) < 0 && errno == EINTR) {
    }
  }

 private:
  int ends_[2] = {-1, -1}; // of a pipe, in which nothing is written
};

[[noreturn]] inline void die() {
  kill(getpid(), SIGKILL);
  std::terminate(); // not reached
}

} // namespace isthmus::transport::testing
