// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::acceleration {

enum class Trend { converging, stagnating, diverging };

/// How the data that converges worst behaves.
struct Diagnosis {
  Trend trend = Trend::converging;
  std::string field;
  double factor = 1; // by which its residual changed per iteration, on average
  std::string text;  // for the user, with what to try; empty while converging
};

/// Watches the residuals of one window.
class ResidualHistory {
 public:
  /// Of the data.
  explicit ResidualHistory(std::vector<std::string> names) : names_(std::move(names)) {}

  /// Of one more iteration, the same on all ranks. Only the latest ones are kept.
  void add(std::span<const Norms> norms);
  void complete_window() { residuals_.clear(); }
  /// Of the last few iterations; converging where there are fewer.
  [[nodiscard]] Diagnosis diagnose() const;

 private:
  std::vector<std::string> names_;
  std::vector<double> residuals_; // per iteration and field
};

} // namespace isthmus::acceleration
