// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace isthmus {

/// How often the thread that makes this goes to sleep from then on: for another thread of the
/// process, which is to act when this one is in a wait that tells nobody.
class Naps {
 public:
  Naps() : before_(count()) {}

  /// In the other thread: for so many, or until `is_over()`, where the wait has ended already.
  template <typename IsOver>
  void await(long number, const IsOver& is_over) const {
    while (count() - before_ < number && !is_over()) {
      std::this_thread::yield();
    }
  }

 private:
  [[nodiscard]] long count() const {
    std::ifstream status(status_);
    for (std::string word; status >> word;) {
      if (word == "voluntary_ctxt_switches:") {
        long number = 0;
        status >> number;
        return number;
      }
    }
    return std::numeric_limits<long>::max(); // the thread has ended
  }

  std::string status_ = "/proc/self/task/" + std::to_string(gettid()) + "/status";
  long before_;
};

} // namespace isthmus
