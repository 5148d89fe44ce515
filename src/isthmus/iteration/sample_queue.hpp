// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/field.hpp"

#include <deque>
#include <map>
#include <span>
#include <vector>

namespace isthmus::iteration {

/// Values of fields at all their vertices, kept by something that goes on later and takes them in
/// the same order.
class SampleQueue {
 public:
  /// No values at all mean zeros.
  void keep(const fields::Field& field, std::span<const double> values) {
    samples_[&field].emplace_back(values.begin(), values.end());
  }
  /// Error if nothing is left, or if the field has another size.
  [[nodiscard]] std::vector<double> take(const fields::Field& field);

  using Samples = std::map<const fields::Field*, std::deque<std::vector<double>>>;
  [[nodiscard]] Samples& all() { return samples_; } ///< of every field, the first to be taken first

 private:
  Samples samples_;
};

} // namespace isthmus::iteration
