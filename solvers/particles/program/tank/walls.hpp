// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/migration.hpp"
#include "particles/program/tank/inflow.hpp"
#include "particles/program/tank/lattice.hpp"

#include <functional>
#include <vector>

namespace isthmus::mps {

/// The obstacles that move, as the case says or as a partner does, and walls through which fluid
/// comes in.
class Walls {
 public:
  /// How far a particle of a coupled obstacle is off its place on the lattice; local.
  using Displacement = std::function<Vector(GlobalIndex id)>;

  explicit Walls(const Case& from);

  [[nodiscard]] bool moves() const { return moves_; }
  /// Collective over the neighbours. Gives the particles of moving walls the velocity that brings
  /// them to where they are after the step, ghosts, too.
  void begin_step(State& state, exchange::Migration& migration, double end, double step) const;
  /// Local. Moves them, from this time on, and keeps the fluid before planes; ghosts are lost.
  /// Returns how many particles came in here.
  std::int64_t end_step(State& state, double time, double step) const;
  /// The fastest with which fluid comes in.
  [[nodiscard]] double inflow_speed() const { return inflows_.speed(); }
  void set(Displacement displacement) { displacement_ = std::move(displacement); }

 private:
  /// That the wall at a row is of, if it moves; else null.
  [[nodiscard]] const Obstacle* moving(State& state, std::size_t row) const;
  void keep_before_planes(State& state) const;

  Lattice lattice_;
  Inflows inflows_;
  std::vector<Plane> planes_;
  double spacing_;
  bool moves_;
  Displacement displacement_;
};

} // namespace isthmus::mps
