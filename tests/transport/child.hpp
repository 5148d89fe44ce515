// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <functional>

namespace isthmus::transport::testing {

/// A process that does `work` and exits: 0 if that threw nothing, else 1. Killed and reaped with
/// its owner.
class Child {
 public:
  explicit Child(const std::function<void()>& work) : pid_(fork()) {
    if (pid_ != 0) {
      return;
    }
    int code = 0;
    try {
      work();
    } catch (const std::exception&) {
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

 private:
  pid_t pid_;
};

[[noreturn]] inline void die() {
  kill(getpid(), SIGKILL);
  std::terminate(); // not reached
}

} // namespace isthmus::transport::testing
