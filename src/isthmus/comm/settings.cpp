// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/settings.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"

#include <limits>
#include <string_view>
#include <utility>

namespace isthmus::comm {

namespace {

void read_seconds(const char* variable, double& seconds) {
  constexpr double least = std::numeric_limits<double>::min();
  if (const auto number = environment_number(variable, {least}, "positive number of seconds")) {
    seconds = *number;
  }
}

NetworkSettings::Transport transport_of(std::string_view text) {
  for (const auto& [name, transport] :
       {std::pair{"automatic", NetworkSettings::automatic}, std::pair{"tcp", NetworkSettings::tcp},
        std::pair{"shm", NetworkSettings::shm}, std::pair{"mpi", NetworkSettings::mpi}}) {
    if (text == name) {
      return transport;
    }
  }
  fail("environment variable ISTHMUS_TRANSPORT=\"{}\" is none of automatic, tcp, shm, mpi", text);
}

} // namespace

NetworkSettings with_environment(NetworkSettings settings) {
  read_seconds("ISTHMUS_TIMEOUT", settings.timeout_s);
  read_seconds("ISTHMUS_PATIENCE", settings.progress_timeout_s);
  if (const char* text = environment_variable("ISTHMUS_TRANSPORT")) {
    settings.transport = transport_of(text);
  }
  constexpr double most = 1 << 20;
  if (const auto number = environment_number("ISTHMUS_QUEUE", {0, most}, "number of MiB")) {
    settings.queue_bytes = static_cast<std::size_t>(*number * (1 << 20));
  }
  return settings;
}

} // namespace isthmus::comm
