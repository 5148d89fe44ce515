// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/progress_timeout.hpp"

#include "environment.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::comm;

TEST_CASE("the progress timeout is that of the environment, where this has one") {
  CHECK(progress_timeout_or(5) == 5);
  {
    const Environment empty("ISTHMUS_PATIENCE", "");
    CHECK(progress_timeout_or(5) == 5);
  }
  {
    const Environment set("ISTHMUS_PATIENCE", "1e3");
    CHECK(progress_timeout_or(5) == 1000);
  }
  const Environment wrong("ISTHMUS_PATIENCE", "-1");
  CHECK(message_of([] { static_cast<void>(progress_timeout_or(5)); }) ==
        "environment variable ISTHMUS_PATIENCE=\"-1\" is no positive number of seconds");
}
