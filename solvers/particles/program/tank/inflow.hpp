// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/migration.hpp"
#include "particles/program/tank/lattice.hpp"

#include <cstdint>

namespace isthmus::mps {

/// Parts of the tank's walls through which fluid comes in: pistons that, when they have come in by
/// a spacing, leave a layer of fluid where they are and go back. How many have come in follows from
/// the time alone.
class Inflows {
 public:
  explicit Inflows(const Case& from) : from_(from), lattice_(from) {}

  /// The fastest of them.
  [[nodiscard]] double speed() const;
  /// Collective over the neighbours. Gives their particles their velocities, ghosts, too.
  void begin_step(State& state, exchange::Migration& migration) const;
  /// Local. Moves them in a step from a time to another, and adds the fluid that came in; ghosts
  /// are lost then. Returns how many particles came in here.
  std::int64_t end_step(State& state, double begin, double end) const;

 private:
  /// That a particle of a wall is of; else null.
  [[nodiscard]] const Inflow* of(State& state, std::size_t row) const;
  /// How many layers have come in until then.
  [[nodiscard]] std::int64_t layers(const Inflow& inflow, double time) const;

  const Case& from_;
  Lattice lattice_;
};

} // namespace isthmus::mps
