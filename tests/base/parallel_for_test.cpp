// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "environment.hpp"
#include "isthmus/base/error.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numeric>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

Environment threads(const std::string& count) {
  return {"ISTHMUS_THREADS", count};
}

} // namespace

TEST_CASE("every index is worked on once, by any number of threads") {
  for (const char* count : {"1", "2", "3", "64"}) {
    const Environment set = threads(count);
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
    const Environment set = threads(count);
    const auto work = [](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        check(i < 57, "index {}", i);
      }
    };
    CHECK_THROWS_WITH(parallel_for(1000, 1, work), "index 57");
  }
}

TEST_CASE("a number of threads that is none is an error") {
  for (const char* count : {" ", "0", "-2", "two", "3x", "2.5", "9999"}) {
    const Environment set = threads(count);
    const std::string error = fmt::format(
        "environment variable ISTHMUS_THREADS=\"{}\" is no number of threads from 1 to 1024",
        count);
    CHECK(message_of([] { static_cast<void>(thread_count()); }) == error);
    CHECK(message_of([] { static_cast<void>(usual_thread_count()); }) == error);
  }
  CHECK(thread_count() == 1);
  const Environment none = threads(""); // as if it were not set
  CHECK(thread_count() == 1);
  CHECK(usual_thread_count() >= 1);
}
