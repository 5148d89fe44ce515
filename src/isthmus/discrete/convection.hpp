// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/discrete/slabs/slab.hpp"
#include "isthmus/discrete/slabs/slab_poisson.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace isthmus::discrete {

/// Rayleigh-Benard convection in a box of length 4, depth 1, height 1 (Elias et al. 2009): no slip,
/// warm floor (1), cold ceiling (0), adiabatic sides. Lengths in heights, times in heights squared
/// over the thermal diffusivity. Flow and temperature are coupled, explicit in time
/// (Adams-Bashforth of second order, Chorin's projection), on staggered cells of second order
/// (Harlow, Welch, doi 10.1063/1.1761178), cut into slabs across x.
class Convection {
 public:
  struct Settings {
    int n = 12; ///< cells along the height; 4 n along the length
    double rayleigh = 30'000;
    double prandtl = 0.71;
    int rolls = 4; ///< of the first disturbance; 0: noise, the same on any number of ranks
  };
  enum Field : std::size_t { u, v, w, t }; ///< velocities at the lower faces, temperature in cells

  /// Collective. At most 2 n ranks; at rest and conducting but for a small disturbance.
  Convection(const comm::Comm& comm, const Settings& settings);

  /// Collective. One step of dt().
  void step();
  [[nodiscard]] double dt() const { return dt_; }

  /// Collective. Heat through the floor and through the ceiling over that of conduction.
  [[nodiscard]] std::array<double, 2> nusselt() const;
  /// Collective. Largest velocities along x and z.
  [[nodiscard]] std::array<double, 2> largest() const;
  /// Collective. Largest divergence of a cell.
  [[nodiscard]] double divergence() const;
  /// Collective. The field in layer `j` of cells along y, from 1 to n, z fastest, on rank 0;
  /// nothing elsewhere.
  [[nodiscard]] std::vector<double> plane(Field field, int j) const;

 private:
  static constexpr std::size_t fields = 4;

  [[nodiscard]] double get(Field f, int i, int j, int k) const {
    return values_[slab_.at(i, j, k) * fields + f];
  }
  double& set(Field f, int i, int j, int k) { return values_[slab_.at(i, j, k) * fields + f]; }

  void start(int rolls);
  void fill_walls();
  void update_ghosts();
  void find_rates();
  [[nodiscard]] double rate_of_temperature(int i, int j, int k) const;
  [[nodiscard]] double rate_of_velocity(Field f, int i, int j, int k) const;
  void project();
  [[nodiscard]] double divergence_of(int i, int j, int k) const;

  Slab slab_;
  double h_; // edge of a cell
  double rayleigh_, prandtl_, dt_;
  std::vector<double> values_; // with one layer of others or walls around
  std::vector<double> rates_, old_rates_;
  std::vector<double> pressure_; // times dt, as values_
  std::vector<double> source_;
  SlabPoisson poisson_;
};

} // namespace isthmus::discrete
