// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/reason.hpp"
#include "isthmus/base/exception.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using isthmus::contains;

namespace {

template <typename Work>
std::string reason(Work work) {
  try {
    work();
  } catch (...) {
    return isthmus::current_reason();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE("whatever is thrown has a reason that tells what to do") {
  CHECK(reason([] { throw isthmus::Error("the thing is missing; add it"); }) ==
        "the thing is missing; add it");
  CHECK(contains(reason([] { throw std::bad_alloc(); }), "use more ranks"));
  const std::string range = reason([] { static_cast<void>(std::map<int, int>().at(1)); });
  CHECK((contains(range, "inside of the library") && contains(range, "report") &&
         contains(range, "map::at")));
  CHECK(contains(reason([] { static_cast<void>(std::vector<int>().at(3)); }), "report"));
  CHECK(contains(reason([] { throw 7; }), "report"));
}
