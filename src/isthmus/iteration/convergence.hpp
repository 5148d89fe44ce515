// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/quasi_newton/diagnosis.hpp"
#include "isthmus/config/config.hpp"

#include <span>
#include <string>
#include <vector>

namespace isthmus::iteration {

/// The convergence measures of an implicit scheme.
class Convergence {
 public:
  explicit Convergence(std::vector<config::ConvergenceMeasure> measures);

  /// `norms` of the measured data, in the order of the measures; iterations count from 1. Error
  /// naming the data if a norm is NaN or infinite. True if all measures, or one that suffices, are
  /// within their limits.
  bool judge(std::span<const acceleration::Norms> norms, int iteration);
  /// Which data stagnates or diverges in this window, and what to try; empty if none.
  [[nodiscard]] std::string diagnosis() const { return history_.diagnose().text; }
  /// What each measure compares with its limit, of the last iteration; 0 for
  /// absolute-or-relative ones.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  /// The same beside the limits, for people: "Flux on Wall 0.02 > 1e-05 (relative)".
  [[nodiscard]] std::string report() const;
  /// "ResRel(Mesh:Data)" of every measure.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Error naming the strict measures that were not met in the last iteration, and why.
  void check_strict(int iterations) const;

 private:
  struct State {
    double first = 0; // residual of the first iteration of the window
    acceleration::Norms norms{};
    double value = 0;
    bool met = false;
  };

  std::vector<config::ConvergenceMeasure> measures_;
  std::vector<State> states_;
  std::vector<double> values_;
  acceleration::ResidualHistory history_;
};

} // namespace isthmus::iteration
