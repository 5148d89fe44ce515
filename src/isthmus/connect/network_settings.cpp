// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/network_settings.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/progress_timeout.hpp"

#include <string_view>
#include <utility>

namespace isthmus::connect {

namespace {

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
  settings.timeout_s = environment_seconds("ISTHMUS_TIMEOUT").value_or(settings.timeout_s);
  settings.progress_timeout_s = comm::progress_timeout_or(settings.progress_timeout_s);
  if (const char* text = environment_variable("ISTHMUS_TRANSPORT")) {
    settings.transport = transport_of(text);
  }
  constexpr double most = 1 << 20;
  if (const auto number = environment_number("ISTHMUS_QUEUE", {0, most}, "number of MiB")) {
    settings.queue_bytes = static_cast<std::size_t>(*number * (1 << 20));
  }
  return settings;
}

} // namespace isthmus::connect
