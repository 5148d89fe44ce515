// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/progress_timeout.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace isthmus::connect {

/// Where a rank listens for partners, how their messages travel, and how long it waits for them.
struct NetworkSettings {
  enum Transport { automatic, tcp, shm, mpi };

  std::string network = "lo"; ///< interface to listen at
  int port = 0;               ///< of rank 0, rank r takes port + r; 0: any free one
  Transport transport = automatic;
  double timeout_s = std::numeric_limits<double>::infinity(); ///< for a participant to appear
  /// For the next message of one that has appeared.
  double progress_timeout_s = comm::default_progress_timeout_s;
  std::size_t ring_capacity = std::size_t{1} << 20; ///< bytes of shared memory per direction, 2^k
  std::size_t queue_bytes = std::size_t{1} << 26;   ///< that may wait for all partners; 0: none
};

/// Overridden by ISTHMUS_TRANSPORT (automatic, tcp, shm, mpi), ISTHMUS_TIMEOUT and ISTHMUS_PATIENCE
/// (seconds), ISTHMUS_QUEUE (MiB).
[[nodiscard]] NetworkSettings with_environment(NetworkSettings settings);

} // namespace isthmus::connect
