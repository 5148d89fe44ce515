// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/residual.hpp"
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

  /// One scaling per primary field, used by PreconditionerType::constant.
  void initialize(std::vector<double> scalings, std::span<const EquationRange> blocks);
  /// The same fields have other rows: a row has the weight that one in its place had, and 1 where
  /// there was none, until weights are updated. That is what preCICE does.
  void fit(std::span<const EquationRange> blocks);
  /// Where pieces of the rows with one weight end.
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// Before a step that uses them, with the norms of the primary fields.
  void update(std::span<const Norms> norms);
  /// With the norms of the last iteration.
  void complete_window(std::span<const Norms> norms);

  /// To multiply the rows of each block with.
  [[nodiscard]] std::span<const double> values() const { return of_blocks_; }
  [[nodiscard]] std::vector<double> save() const;
  void restore(std::span<const double> saved);

 private:
  [[nodiscard]] bool frozen() const {
    return settings_.freeze_after > 0 && windows_ >= settings_.freeze_after;
  }
  void take(std::size_t field, double divisor);
  void take_values(std::span<const Norms> norms);
  void update_sums(std::span<const Norms> norms);
  void spread();

  PreconditionerSettings settings_;
  std::vector<EquationRange> blocks_;
  std::vector<double> values_; // of the primary fields
  std::vector<double> of_blocks_;
  std::vector<std::size_t> ends_;
  std::vector<double> sums_; // of the relative norms of the residual in this window
  bool has_values_ = false;  // PreconditionerType::value: since the first step
  int windows_ = 0;          // completed
};

} // namespace isthmus::acceleration
