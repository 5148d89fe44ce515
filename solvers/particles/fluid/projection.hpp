// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "particles/fluid/operators.hpp"
#include "particles/fluid/scheme.hpp"

#include <vector>

namespace isthmus::mps {

/// Semi-implicit: velocities are made free of divergence by a pressure that a system of equations
/// gives. Its source is the divergence and a part of what the density of particles lacks (Tanaka
/// and Masunaga, doi 10.1016/j.jcp.2010.02.011). The unknown is the pressure less that of the
/// column of liquid, whose derivative is zero at walls: a liquid at rest stays at rest exactly.
class Projection final : public Scheme {
 public:
  struct Settings {
    double density_part = 0.002; // of the source
    double relative = 1e-6;      // residual of the system of equations
    double shift = 0.5;          // of the way that neighbours go past each other
    double damping = 0.2; // added viscosity, of a spacing by the speed of a fall or a wave of it
  };

  Projection(const comm::Comm& comm, const Kernel& kernel, const Liquid& liquid, Settings settings)
      : comm_(comm), kernel_(kernel), liquid_(liquid), settings_(settings) {}

  StepReport advance(State& state, const Neighbours& neighbours, exchange::Migration& migration,
                     double step) override;

 private:
  /// Slope of the pressure of the column of liquid.
  [[nodiscard]] Vector weight() const;
  /// Pressure of that column at a place, but for a constant.
  [[nodiscard]] double column(const exchange::Position& at) const;
  void number_rows(State& state, exchange::Migration& migration, const std::vector<char>& surface);
  void set_known_pressures(State& state, const Neighbours& neighbours,
                           exchange::Migration& migration) const;
  StepReport solve(State& state, const Neighbours& neighbours, const std::vector<double>& density,
                   double step);
  void push(State& state, const Neighbours& neighbours, const std::vector<double>& density,
            double step) const;
  [[nodiscard]] Vector repulsion(State& state, const Pressures& pressures,
                                 std::span<const Neighbour> neighbours, std::size_t row) const;

  const comm::Comm& comm_;
  const Kernel& kernel_;
  const Liquid& liquid_;
  Settings settings_;
  std::int64_t first_row_ = 0, num_rows_ = 0; // of this rank
};

} // namespace isthmus::mps
