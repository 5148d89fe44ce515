// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/field.hpp"
#include "isthmus/acceleration/settings.hpp"

#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The preconditioner: one factor per primary field, so that data of very different size count
/// alike in the least squares. Uekermann (2016), https://mediatum.ub.tum.de/1320661; threshold:
/// Davis, Schulte, Uekermann (2022), doi:10.3390/mca27030040.
class Weights {
 public:
  explicit Weights(const PreconditionerSettings& settings) : settings_(settings) {}

  /// One scaling per primary field, used by Preconditioner::constant.
  void initialize(std::vector<double> scalings);
  /// Once per iteration, with the norms of the primary fields.
  void update(std::span<const Norms> norms);
  void complete_window();

  /// To multiply the rows with.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  [[nodiscard]] std::vector<double> save() const;
  void restore(std::span<const double> saved);

 private:
  void take(std::span<const double> divisors);
  void update_sums(std::span<const Norms> norms);

  PreconditionerSettings settings_;
  std::vector<double> values_;
  std::vector<double> divisors_; // sums of the residual, or values of the previous window
  std::vector<double> latest_;   // values of the data
  int windows_ = 0;              // completed
};

} // namespace isthmus::acceleration
