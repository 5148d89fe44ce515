// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/log.hpp"
#include "isthmus/base/error.hpp"

#include <doctest/doctest.h>

using namespace isthmus;

TEST_CASE("check throws the formatted advice") {
  CHECK_NOTHROW(check(true, "never {}", 1));
  CHECK_THROWS_WITH_AS(check(false, "mesh \"{}\" is unknown", "M"), "mesh \"M\" is unknown", Error);
}

TEST_CASE("only rank 0 informs, every rank warns") {
  std::vector<std::string> lines;
  for (int rank : {0, 1}) {
    Log log("A", rank);
    log.add_sink([&lines](const LogRecord& record) { lines.emplace_back(record.text); });
    log.info("info {}", rank);
    log.warning("warning {}", rank);
  }
  CHECK(lines == std::vector<std::string>{"info 0", "warning 0", "warning 1"});
}

TEST_CASE("what comes up again about the same thing is said once") {
  std::vector<std::string> lines;
  Log log("A", 0);
  log.add_sink([&lines](const LogRecord& record) { lines.emplace_back(record.text); });
  LogOnce once(log);
  once.info("line 7", "first {}");
  once.info("line 7", "second");
  once.info("line 9", "third");
  CHECK(lines == std::vector<std::string>{"first {}", "third"});
}
