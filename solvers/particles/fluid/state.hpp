// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/particles.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace isthmus::mps {

using Vector = std::array<double, 3>; // the last component is 0 in two dimensions

/// What a particle is. Walls consist of one layer that has a pressure, next to the fluid, and
/// dummies behind it, which only fill space.
enum class Kind : std::int32_t { fluid, wall, dummy };

/// In the place of a row of the system of equations, of a particle whose pressure is known.
constexpr double at_surface = -1;
/// Of one that has no pressure.
constexpr double without = -2;

/// The particles of a rank, ghosts included, and what belongs to each.
class State {
 public:
  State()
      : kind_(particles_.add<Kind>()),
        velocity_(particles_.add<double>(3)),
        pressure_(particles_.add<double>()),
        row_(particles_.add<double>()) {}

  [[nodiscard]] exchange::Particles& particles() { return particles_; }
  [[nodiscard]] const exchange::Particles& particles() const { return particles_; }
  [[nodiscard]] std::size_t num_owned() const { return particles_.num_owned(); }
  [[nodiscard]] std::span<const exchange::Position> positions() const {
    return particles_.positions();
  }
  [[nodiscard]] std::span<Kind> kinds() { return particles_.values<Kind>(kind_); }
  /// Three components for each particle.
  [[nodiscard]] std::span<double> velocities() { return particles_.values<double>(velocity_); }
  [[nodiscard]] std::span<double> pressures() { return particles_.values<double>(pressure_); }
  /// Of the system of equations for pressures; at_surface or without where a
  /// particle has none.
  [[nodiscard]] std::span<double> rows() { return particles_.values<double>(row_); }
  /// Attributes, for exchange::Migration::refresh.
  [[nodiscard]] int velocity() const { return velocity_; }
  [[nodiscard]] int pressure() const { return pressure_; }
  [[nodiscard]] int row() const { return row_; }

 private:
  exchange::Particles particles_;
  int kind_, velocity_, pressure_, row_;
};

} // namespace isthmus::mps
