// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"

#include "isthmus/base/environment.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace isthmus;

TEST_CASE("environment variable that is empty counts as one that is not set") {
  CHECK(environment_variable("ISTHMUS_OF_A_TEST") == nullptr);
  {
    const Environment empty("ISTHMUS_OF_A_TEST", "");
    CHECK(std::getenv("ISTHMUS_OF_A_TEST") != nullptr);
    CHECK(environment_variable("ISTHMUS_OF_A_TEST") == nullptr);
  }
  const Environment set("ISTHMUS_OF_A_TEST", " ");
  CHECK(environment_variable("ISTHMUS_OF_A_TEST") == std::string(" "));
}
