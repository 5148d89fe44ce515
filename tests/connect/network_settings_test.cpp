// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/network_settings.hpp"

#include "environment.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

using namespace isthmus;
using namespace isthmus::connect;

namespace {

std::string refusal(const char* name, const char* value) {
  const Environment variable(name, value);
  return message_of([] { static_cast<void>(with_environment({})); });
}

} // namespace

TEST_CASE("the environment overrides what it names, and nothing else") {
  NetworkSettings settings;
  settings.network = "eth7";
  settings.port = 4711;
  settings.timeout_s = 5;
  settings.progress_timeout_s = 6;
  settings.transport = NetworkSettings::shm;
  settings.ring_capacity = 4096;
  {
    const Environment timeout("ISTHMUS_TIMEOUT", "2.5");
    const Environment progress("ISTHMUS_PATIENCE", "1e3");
    const NetworkSettings seen = with_environment(settings);
    CHECK(seen.timeout_s == 2.5);
    CHECK(seen.progress_timeout_s == 1000);
    CHECK(seen.transport == NetworkSettings::shm);
    CHECK(seen.network == "eth7");
    CHECK(seen.port == 4711);
    CHECK(seen.ring_capacity == 4096);
  }
  const Environment endless("ISTHMUS_TIMEOUT", "inf");
  CHECK(std::isinf(with_environment(settings).timeout_s));
}

TEST_CASE("a transport is chosen by its name") {
  for (const auto& [name, transport] :
       {std::pair{"automatic", NetworkSettings::automatic}, std::pair{"tcp", NetworkSettings::tcp},
        std::pair{"shm", NetworkSettings::shm}, std::pair{"mpi", NetworkSettings::mpi}}) {
    const Environment variable("ISTHMUS_TRANSPORT", name);
    CHECK(with_environment({}).transport == transport);
  }
  for (const char* const name : {" ", "TCP", "pigeon"}) {
    CHECK(refusal("ISTHMUS_TRANSPORT", name) ==
          std::string("environment variable ISTHMUS_TRANSPORT=\"") + name +
              "\" is none of automatic, tcp, shm, mpi");
  }
}

TEST_CASE("a limit that is no positive number of seconds is an error") {
  for (const char* const variable : {"ISTHMUS_TIMEOUT", "ISTHMUS_PATIENCE"}) {
    for (const char* const value : {" ", "0", "-1", "nan", "ten", "10s", "10 "}) {
      CHECK(refusal(variable, value) == std::string("environment variable ") + variable + "=\"" +
                                            value + "\" is no positive number of seconds");
    }
  }
}

TEST_CASE("a queue has a bound in MiB, or is none") {
  CHECK(with_environment({}).queue_bytes == 64U << 20);
  for (const auto& [text, bytes] :
       {std::pair{"0", 0U}, std::pair{"1", 1U << 20}, std::pair{"0.5", 1U << 19}}) {
    const Environment variable("ISTHMUS_QUEUE", text);
    CHECK(with_environment({}).queue_bytes == bytes);
  }
  for (const char* const value : {"-1", "nan", "much", "1e9"}) {
    CHECK(refusal("ISTHMUS_QUEUE", value) ==
          std::string("environment variable ISTHMUS_QUEUE=\"") + value + "\" is no number of MiB");
  }
}

TEST_CASE("what the environment names and leaves empty stays as it is") {
  const Environment transport("ISTHMUS_TRANSPORT", "");
  const Environment timeout("ISTHMUS_TIMEOUT", "");
  const Environment progress("ISTHMUS_PATIENCE", "");
  NetworkSettings settings;
  settings.timeout_s = 5;
  settings.progress_timeout_s = 6;
  settings.transport = NetworkSettings::tcp;
  const NetworkSettings seen = with_environment(settings);
  CHECK(seen.timeout_s == 5);
  CHECK(seen.progress_timeout_s == 6);
  CHECK(seen.transport == NetworkSettings::tcp);
}
