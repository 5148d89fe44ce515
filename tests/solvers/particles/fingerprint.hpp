// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"
#include "particles/fluid/state.hpp"

#include <cstdint>
#include <cstring>

namespace waters {

/// Collective. A sum over the bits of all positions and velocities, whatever rank they are on.
inline std::uint64_t fingerprint(const isthmus::comm::Comm& comm, isthmus::mps::State& state) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    auto factor = 2 * static_cast<std::uint64_t>(state.particles().ids()[row]) + 1;
    for (std::size_t d = 0; d < 3; ++d) {
      for (const double value : {state.positions()[row][d], state.velocities()[3 * row + d]}) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        sum += factor * bits;
        factor *= 0x9e3779b97f4a7c15U;
      }
    }
  }
  return isthmus::comm::allreduce(comm, sum, isthmus::comm::Op::sum);
}

} // namespace waters
