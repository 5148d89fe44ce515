// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/progress.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

/// What a new object says.
std::string said(const std::function<void(coupling::Progress&)>& tell) {
  std::string text;
  Log log("P", 0);
  log.add_sink([&text](const LogRecord& record) { text += std::string(record.text) + "\n"; });
  coupling::Progress progress(log);
  tell(progress);
  return text;
}

} // namespace

TEST_CASE("a line of the log names the window that is done, and its iterations") {
  CHECK(said([](auto& p) { p.end(3, 0, 1.5, false); }) == "time window 3 done, time 1.5\n");
  CHECK(said([](auto& p) { p.end(3, 1, 1.5, false); }) ==
        "time window 3 done after 1 iteration, time 1.5\n");
  CHECK(said([](auto& p) { p.end(3, 7, 1.5, false); }) ==
        "time window 3 done after 7 iterations, time 1.5\n");
}

TEST_CASE("a time that goes back has its reason beside it") {
  CHECK(said([](auto& p) { p.repeat(3, 4, 1); }) ==
        "time window 3 is repeated from time 1 on, iteration 4\n");
  CHECK(said([](auto& p) { p.step(3, 4, 1.25); }) == "in time window 3, iteration 4, time 1.25\n");
  CHECK(said([](auto& p) { p.step(3, 0, 1.25); }) == "in time window 3, time 1.25\n");
}

TEST_CASE("the first window and the last one are said, whatever was said before") {
  const std::string text = said([](auto& p) {
    p.step(1, 0, 0.5);
    p.end(1, 0, 1, false);
    p.end(2, 0, 2, true);
  });
  CHECK(text ==
        "in time window 1, time 0.5\ntime window 1 done, time 1\ntime window 2 done, time 2\n");
}
