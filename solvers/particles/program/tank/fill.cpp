// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/fill.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "particles/program/tank/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace isthmus::mps {

namespace {

/// Between -1 and 1, the same for the same numbers.
double noise(GlobalIndex id, std::size_t salt) {
  std::uint64_t x = 4 * static_cast<std::uint64_t>(id) + salt;
  for (int i = 0; i < 3; ++i) {
    x = (x ^ (x >> 31U)) * 0x9e3779b97f4a7c15U;
  }
  return static_cast<double>(x >> 11U) / 4503599627370496.0 - 1;
}

/// Gives a particle its velocity and what it is off the lattice.
void pour(const Case& from, const Water& water, std::size_t row, State& to) {
  exchange::Position& at = to.particles().positions()[row];
  Vector velocity = water.velocity;
  const double width = water.upper[0] - water.lower[0], height = water.upper[1] - water.lower[1];
  const double x = std::numbers::pi * (at[0] - water.lower[0]) / width;
  const double y = std::numbers::pi * (at[1] - water.lower[1]) / height;
  velocity[0] += water.vortex * std::sin(x) * std::cos(y);
  velocity[1] -= water.vortex * height / width * std::cos(x) * std::sin(y);
  std::copy(velocity.begin(), velocity.end(), to.velocities().data() + 3 * row);
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
    at[d] += water.disturbance * from.spacing * noise(to.particles().ids()[row], d);
  }
}

} // namespace

void fill(const comm::Comm& comm, const Case& from, State& to) {
  comm::agree(comm, [&] {
    const Lattice lattice(from);
    const Share own = share_of(comm.rank(), comm.size(), lattice.count(0));
    for (std::int64_t i = own.first; i < own.first + own.count; ++i) {
      for (std::int64_t j = 0; j < lattice.count(1); ++j) {
        for (std::int64_t k = 0; k < lattice.count(2); ++k) {
          const Lattice::Place place{i, j, k};
          if (const auto content = lattice.content(place)) {
            const auto row = static_cast<std::size_t>(
                to.particles().insert(lattice.id(place), lattice.at(place)));
            to.kinds()[row] = content->kind;
            if (content->water != nullptr) {
              pour(from, *content->water, row, to);
            }
          }
        }
      }
    }
  });
}

} // namespace isthmus::mps
