// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"

#include "isthmus/base/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace isthmus {

namespace {

constexpr int most_threads = 1024;

/// Hands out blocks in their order, so that all before a failed one have begun.
class Blocks {
 public:
  Blocks(std::size_t count, std::size_t grain,
         const std::function<void(std::size_t, std::size_t)>& work)
      : count_(count), grain_(grain), work_(work) {}

  void work_off() {
    while (!failed_) {
      const std::size_t begin = next_.fetch_add(grain_);
      if (begin >= count_) {
        return;
      }
      try {
        work_(begin, std::min(begin + grain_, count_));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failed_ = true;
        if (begin < first_failure_) {
          first_failure_ = begin;
          failure_ = std::current_exception();
        }
      }
    }
  }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::size_t count_;
  std::size_t grain_;
  const std::function<void(std::size_t, std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::size_t first_failure_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

std::optional<int> asked_threads() {
  return environment_count("ISTHMUS_THREADS", 1, "number of threads from 1 to 1024", most_threads);
}

} // namespace

int thread_count() {
  return asked_threads().value_or(1);
}

int usual_thread_count() {
  if (const std::optional<int> asked = asked_threads()) {
    return *asked;
  }
  const char* text = std::getenv("OMP_NUM_THREADS"); // of nested regions a list; the first counts
  const long count = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  const long processors = static_cast<long>(std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp(count > 0 ? count : processors, 1L, long{most_threads}));
}

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& work) {
  parallel_for(0, count, grain, work);
}

void parallel_for(int threads, std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const std::size_t blocks = (count + grain - 1) / grain;
  const std::size_t chosen =
      std::min(static_cast<std::size_t>(threads > 0 ? threads : thread_count()), blocks);
  if (chosen <= 1) {
    if (count > 0) {
      work(0, count);
    }
    return;
  }
  Blocks shared(count, grain, work);
  {
    std::vector<std::jthread> helpers; // join at the end of the scope
    for (std::size_t t = 1; t < chosen; ++t) {
      helpers.emplace_back([&shared] { shared.work_off(); });
    }
    shared.work_off();
  }
  shared.rethrow();
}

} // namespace isthmus
