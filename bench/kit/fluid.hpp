// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/migration.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// A column of water of width 1 and height 2 (in units of its width, gravity 1) that collapses in a
/// tank of length 5: explicit moving particle simulation in two dimensions, weakly compressible.
/// After Koshizuka and Oka, doi 10.13182/NSE96-A24205, with the pressure from the density as in
/// Murotani et al., doi 10.15748/jasse.1.16. Bitwise the same on any number of ranks.
class Fluid {
 public:
  /// Collective. `across`: particles across the column. `moving`: it collapses already.
  Fluid(const isthmus::comm::Comm& comm, int across, bool moving,
        isthmus::comm::Opening opening = isthmus::comm::Opening::at_once);

  /// Collective. One time step, without the migration that must follow.
  void advance();
  /// Collective. Moves particles to their owners; `balance`: after new bricks for equal loads.
  void migrate(bool balance, isthmus::comm::Traffic* traffic = nullptr);

  [[nodiscard]] double time() const { return static_cast<double>(steps_) * dt_; }
  [[nodiscard]] double spacing() const { return spacing_; }
  /// Distance within which particles act on each other.
  [[nodiscard]] double radius() const { return 2.1 * spacing_; }
  /// More than a particle moves in a step.
  [[nodiscard]] double slack() const { return 0.1 * spacing_; }
  [[nodiscard]] const isthmus::exchange::Particles& particles() const { return particles_; }
  /// Collective. How far the water reaches, in widths of the column.
  [[nodiscard]] double front();
  /// Collective. Number of particles, and a sum over the bits of their positions and velocities.
  [[nodiscard]] std::vector<std::uint64_t> fingerprint();

 private:
  struct Surroundings {
    double density = 0; // sum of the neighbours' weights
    double lambda = 0;  // mean square distance of neighbours, weighted
  };
  /// Particles by square of the edge radius().
  struct Cells {
    std::array<std::int64_t, 2> lo{}, count{};
    std::vector<std::size_t> begin; // in rows, y fastest
    std::vector<std::size_t> rows;  // in each cell ascending by number

    /// Of square x, y.
    [[nodiscard]] std::size_t at(std::int64_t x, std::int64_t y) const {
      return static_cast<std::size_t>((x - lo[0]) * count[1] + y - lo[1]);
    }
  };

  void fill(int across, bool moving);
  void sort_into_cells();
  void find_pressure();
  void move();
  template <typename F>
  void for_neighbours(std::size_t i, F&& f) const;

  const isthmus::comm::Comm& comm_;
  double spacing_;
  double sound_;
  double dt_;
  Surroundings full_;
  std::int64_t steps_ = 0;
  isthmus::exchange::Particles particles_;
  isthmus::exchange::Migration migration_;
  int velocity_, pressure_, kind_;
  Cells cells_;
};

} // namespace bench
