// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/solution.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

enum class TimeKind {
  steady,
  global,  // explicit steps of one size, in time
  dual,    // implicit steps in time, each the limit of pseudo steps
  harmonic // snapshots of a period
};

struct TimeSettings {
  TimeKind kind = TimeKind::steady;
  double step = 0;      // of global and dual
  int harmonics = 0;    // of harmonic: 2 * harmonics + 1 snapshots
  double frequency = 0; // of harmonic, rad per unit of time
};

/// Derivatives at equally spaced snapshots of a period 2 pi of the trigonometric polynomial
/// through them: row by row. Hall, Thomas, Clark (2002), doi:10.2514/2.1754; van der Weide,
/// Gopinath, Jameson (2005), doi:10.2514/6.2005-4905.
[[nodiscard]] std::vector<double> spectral_derivative(int snapshots);

/// Values of the same polynomial through `few` snapshots at `many` others: row by row.
[[nodiscard]] std::vector<double> spectral_values(int few, int many);

/// Of the present value, that before the step, and that before the step before it, in a derivative
/// in time.
struct BackwardWeights {
  double now;
  double before;
  double earlier;
};

/// The derivative in physical time within a pseudo step.
class TimeTerms {
 public:
  TimeTerms(const Grid& grid, const TimeSettings& settings);

  [[nodiscard]] int num_snapshots() const;
  [[nodiscard]] const TimeSettings& settings() const { return settings_; }

  /// Local. Adds the derivative of the values times volume to the residual of all own blocks.
  void add(const Solution& solution, std::span<double> residual) const;

  /// Local. One stage in `count` values next to each other, those of other snapshots `apart`:
  /// `changes` are what the stage changes without regard to the derivative in the same cell, times
  /// the stage's coefficient, and become those with it; `earlier` is what earlier stages changed,
  /// `steps` the pseudo step of each value.
  void advance(double coefficient, const double* steps, std::size_t count, const double* earlier,
               double* changes, std::size_t apart) const;

  /// Local. A time step of kind dual begins: the present values are those before it.
  void begin_step(const Solution& solution);
  /// Local. Takes the step of another grid for its own, with values of 0 before it: for what is
  /// corrected by a constant anyway (multigrid).
  void follow(const TimeTerms& other, const Solution& solution);
  /// Of kind dual: of second order, of first order in the first step.
  [[nodiscard]] BackwardWeights weights() const;
  /// The values before the present step, for restart; empty before the first one.
  [[nodiscard]] std::vector<double>& before() { return before_; }
  [[nodiscard]] const std::vector<double>& before() const { return before_; }
  /// The size of the step that led to the present values; 0 before the first one.
  [[nodiscard]] double last_step() const { return last_step_; }
  void set_last_step(double step) { last_step_ = step; }

 private:
  void add_dual(const Solution& solution, std::span<double> residual) const;
  void add_harmonic(const Solution& solution, std::span<double> residual) const;
  void advance_harmonic(double coefficient, const double* steps, std::size_t count,
                        const double* earlier, double* changes, std::size_t apart) const;
  const Grid& grid_;
  TimeSettings settings_;
  std::vector<double> derivative_; // by a snapshot at the later ones: spectral, per unit of time
  std::vector<double> cosines_;    // of harmonics (from 0) at snapshots
  std::vector<double> sines_;
  std::vector<double> before_;
  std::vector<double> earlier_;
  double step_before_ = 0; // the step before the present one
  double last_step_ = 0;
};

} // namespace isthmus::flow
