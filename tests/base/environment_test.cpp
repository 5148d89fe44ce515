// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"

#include "isthmus/base/environment.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <limits>
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

TEST_CASE("switch is 1 or 0, and off where it is not set") {
  const char* const name = "ISTHMUS_OF_A_TEST";
  CHECK_FALSE(environment_switch(name));
  {
    const Environment empty(name, "");
    CHECK_FALSE(environment_switch(name));
  }
  {
    const Environment on(name, "1");
    CHECK(environment_switch(name));
  }
  {
    const Environment off(name, "0");
    CHECK_FALSE(environment_switch(name));
  }
  for (const char* const word : {"yes", "on", "2", " 1"}) {
    const Environment other(name, word);
    CHECK(message_of([&] { static_cast<void>(environment_switch(name)); }) ==
          fmt::format("environment variable {}=\"{}\" is neither 1, which switches on, nor 0", name,
                      word));
  }
}

TEST_CASE("number is read whole, from its least on") {
  const char* const name = "ISTHMUS_OF_A_TEST";
  CHECK_FALSE(environment_number(name, {0}, "length"));
  {
    const Environment half(name, "0.5");
    CHECK(environment_number(name, {0}, "length") == 0.5);
  }
  for (const char* const word : {"-1", "nan", "ten", "1e", "5 m"}) {
    const Environment other(name, word);
    CHECK(message_of([&] { static_cast<void>(environment_number(name, {0}, "length")); }) ==
          fmt::format("environment variable {}=\"{}\" is no length", name, word));
  }
}

TEST_CASE("seconds are a positive number, or infinitely many") {
  const char* const name = "ISTHMUS_OF_A_TEST";
  CHECK_FALSE(environment_seconds(name));
  {
    const Environment half(name, "0.5");
    CHECK(environment_seconds(name) == 0.5);
  }
  {
    const Environment endless(name, "inf");
    CHECK(environment_seconds(name) == std::numeric_limits<double>::infinity());
  }
  for (const char* const word : {"0", "-1", "nan", "ten", "10s"}) {
    const Environment wrong(name, word);
    CHECK(
        message_of([name] { static_cast<void>(environment_seconds(name)); }) ==
        fmt::format("environment variable {}=\"{}\" is no positive number of seconds", name, word));
  }
}

TEST_CASE("count is a whole number, from its least to its most") {
  const char* const name = "ISTHMUS_OF_A_TEST";
  CHECK_FALSE(environment_count(name, 0, "number of ducks"));
  {
    const Environment three(name, "3");
    CHECK(environment_count(name, 3, "number of ducks", 3) == 3);
  }
  for (const char* const word : {"2", "5", "3.5", "nan", "inf", "99999999999", "four"}) {
    const Environment other(name, word);
    CHECK(message_of([&] {
            static_cast<void>(environment_count(name, 3, "number of ducks", 4));
          }) == fmt::format("environment variable {}=\"{}\" is no number of ducks", name, word));
  }
  const Environment large(name, "99999999999");
  CHECK_THROWS(static_cast<void>(environment_count(name, 0, "number of ducks")));
}
