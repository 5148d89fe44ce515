// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/krylov/solve.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace isthmus::la {

/// The test for the end: compares the norm of each residual with limits, and keeps the reason.
/// Norms are the same on all ranks, so all ranks end together.
class Stopping {
 public:
  explicit Stopping(const Settings& settings) : settings_(settings) {}

  /// What residuals are divided by: the norm of b, or what stands for it. Zero: the first residual.
  void set_reference(double norm) { reference_ = norm; }
  [[nodiscard]] double reference() const { return reference_; }

  /// Whether to end, for the norm of the residual before the first iteration.
  bool starts_at(double norm);
  /// Whether to end, for the norm after one more iteration.
  bool ends_at(double norm);
  /// One more iteration, whose residual is not known.
  void goes_on() { ++iterations_; }
  /// Ends for this reason.
  void end(Reason reason) { reason_ = reason; }
  /// Whether a product that is positive for positive definite matrices is not (where these may have
  /// either sign: has another sign than the first one); then this is the end.
  bool is_not_positive(double product);
  /// Whether a divisor is zero or not a number; then this is the end.
  bool vanishes(double divisor);
  [[nodiscard]] bool ended() const { return reason_.has_value(); }
  [[nodiscard]] int iterations() const { return iterations_; }
  /// The norm below which the end is reached.
  [[nodiscard]] double limit() const { return limit_; }

  /// Writes the reason, the iterations and their residuals, which this loses.
  void report_to(Report& report);

 private:
  bool judge(double norm);

  const Settings& settings_;
  std::optional<Reason> reason_;
  int iterations_ = 0;
  double residual_ = 0; // the latest, relative
  std::vector<double> residuals_;
  double reference_ = 1;
  double limit_ = 0;
  double first_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  int best_at_ = 0;
  double sign_ = 0; // of the first product; 0 before it
};

} // namespace isthmus::la
