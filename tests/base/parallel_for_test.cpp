// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/base/error.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

using namespace isthmus;

namespace {

struct Threads { // the setting for a scope
  explicit Threads(const char* count) { setenv("ISTHMUS_THREADS", count, 1); }
  ~Threads() { unsetenv("ISTHMUS_THREADS"); }
};

} // namespace

TEST_CASE("every index is worked on once, by any number of threads") {
  for (const char* count : {"1", "2", "3", "64"}) {
    const Threads threads(count);
    for (const std::size_t size : {0, 1, 9, 10, 11, 1000}) {
      std::vector<int> visits(size, 0);
      parallel_for(size, 10, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          ++visits[i];
        }
      });
      CHECK(visits == std::vector<int>(size, 1));
    }
  }
}

TEST_CASE("the failure of the first block is the one that is told") {
  for (const char* count : {"1", "2", "3"}) {
    const Threads threads(count);
    const auto work = [](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        check(i < 57, "index {}", i);
      }
    };
    CHECK_THROWS_WITH(parallel_for(1000, 1, work), "index 57");
  }
}

TEST_CASE("a number of threads that is none is an error") {
  for (const char* count : {" ", "0", "-2", "two", "3x", "9999"}) {
    const Threads threads(count);
    CHECK_THROWS_WITH(static_cast<void>(thread_count()), doctest::Contains("ISTHMUS_THREADS"));
  }
  CHECK(thread_count() == 1);
  const Threads none(""); // as if it were not set
  CHECK(thread_count() == 1);
  CHECK(usual_thread_count() >= 1);
}
