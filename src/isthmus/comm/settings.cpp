// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/settings.hpp"

#include "isthmus/base/error.hpp"

#include <cstdlib>
#include <string_view>

namespace isthmus::comm {

namespace {

void read_seconds(const char* variable, double& seconds) {
  const char* text = std::getenv(variable);
  if (text == nullptr) {
    return;
  }
  char* end = nullptr;
  seconds = std::strtod(text, &end);
  check(end != text && *end == '\0' && seconds > 0,
        "environment variable {}=\"{}\" is no positive number of seconds", variable, text);
}

NetworkSettings::Transport transport_of(std::string_view text) {
  if (text == "automatic") {
    return NetworkSettings::automatic;
  }
  if (text == "tcp") {
    return NetworkSettings::tcp;
  }
  if (text == "shm") {
    return NetworkSettings::shm;
  }
  if (text == "mpi") {
    return NetworkSettings::mpi;
  }
  fail("environment variable ISTHMUS_TRANSPORT=\"{}\" is none of automatic, tcp, shm, mpi", text);
}

} // namespace

NetworkSettings with_environment(NetworkSettings settings) {
  read_seconds("ISTHMUS_TIMEOUT", settings.timeout_s);
  read_seconds("ISTHMUS_PATIENCE", settings.progress_timeout_s);
  if (const char* text = std::getenv("ISTHMUS_TRANSPORT")) {
    settings.transport = transport_of(text);
  }
  return settings;
}

} // namespace isthmus::comm
