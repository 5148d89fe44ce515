// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/flow.hpp"
#include "convection/numerics/heat.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Backward differences of a field in time, of first or second order (BDF1 and BDF2: Curtiss,
/// Hirschfelder 1952, doi 10.1073/pnas.38.3.235), over steps whose lengths may differ. The first
/// step is of first order, which costs one error of the second order.
class Differences {
 public:
  /// Throws Error unless the order is 1 or 2.
  Differences(int order, double step);

  /// Begins a step with the values at its start, as long as the last one.
  void begin(std::span<const double> values) { begin(values, step_); }
  void begin(std::span<const double> values, double step);
  /// Begins the same step again, with another length.
  void repeat(double step);
  /// At the end of the step. Valid until the next one begins.
  [[nodiscard]] TimeDerivative derivative() const;
  /// The values at the start of the step, and those one step earlier: empty in the first step, and
  /// always where the order is 1.
  [[nodiscard]] std::span<const double> last() const { return last_; }
  [[nodiscard]] std::span<const double> earlier() const { return earlier_; }
  /// What the value is at the end of the step if its last change (order 1: no change) goes on.
  [[nodiscard]] double extrapolated(std::size_t n) const {
    return earlier_.empty() ? last_[n] : last_[n] + ratio() * (last_[n] - earlier_[n]);
  }
  /// Goes on from the values at the start of a step of this length, as after a restart.
  void resume(std::vector<double> last, double step);

 private:
  [[nodiscard]] double ratio() const { return step_ / step_before_; } // of the last two steps

  int order_;
  double step_;        // length of the step that has begun
  double step_before_; // and of the one before
  std::vector<double> last_, earlier_, before_;
};

/// What holds during a step, at its end.
struct StepTerms {
  double viscosity = 1;
  double diffusivity = 1;
  std::array<double, 3> buoyancy{};    // force per temperature
  std::span<const double> force = {};  // three per node, beside buoyancy; empty: none
  std::span<const double> source = {}; // of heat, one per node; empty: none
  int corrections = 1;                 // solves of flow and heat, one after the other
  double heat_tolerance = 1e-3;        // as Elias et al. (2009) take
  bool captures = false;               // discontinuities of the temperature
  Solid solid = {};                    // where elements are
  double reference = 0;                // temperature near those of the flow; see Heat
};

struct StepReport {
  NewtonReport flow;
  SolveReport heat;
};

/// Implicit steps of flow and heat, one after the other. The first flow of a step sees the
/// temperature that the earlier steps foretell, so that steps of second order stay so with one
/// correction.
class Steps {
 public:
  /// Both must outlive this.
  Steps(Flow& flow, Heat& heat, int order, double step);

  /// Begins a step of this length: `values` (four per node) and `temperature` are those at its
  /// start. Fixed ones may be changed between begin() and solve() to what they are at its end.
  void begin(std::span<const double> values, std::span<const double> temperature, double step);
  /// Begins the same step again, with another length.
  void repeat(double step);
  /// Collective. Moves both to the end of the step. Throws Error on all ranks if a solver fails.
  StepReport solve(const StepTerms& terms, const NewtonSettings& newton, std::span<double> values,
                   std::span<double> temperature);

  /// Collective. After solve(), with the same terms: Heat::flux() and Flow::force().
  void flux(const StepTerms& terms, std::span<const double> temperature, std::span<double> flux);
  void force(const StepTerms& terms, std::span<const double> values, std::span<double> force);

  [[nodiscard]] Differences& of_flow() { return of_flow_; }
  [[nodiscard]] const Differences& of_flow() const { return of_flow_; }
  [[nodiscard]] Differences& of_heat() { return of_heat_; }
  [[nodiscard]] const Differences& of_heat() const { return of_heat_; }

 private:
  /// With what the latest flow carries.
  [[nodiscard]] HeatTerms heat_terms(const StepTerms& terms) const;

  Flow& flow_;
  Heat& heat_;
  Differences of_flow_, of_heat_;
  std::vector<double> force_, velocity_;
};

} // namespace isthmus::convection
