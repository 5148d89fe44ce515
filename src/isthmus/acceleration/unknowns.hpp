// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The unknowns of a field, which count in norms and equations: all values, or those that do not
/// follow.
class Unknowns {
 public:
  explicit Unknowns(const IteratedField& field);

  /// Of one sample.
  [[nodiscard]] std::size_t size() const { return all_ ? values_ : positions_.size(); }
  /// From whole samples, one after the other, to the unknowns of them; as many samples.
  void gather(std::span<const double> samples, std::span<double> unknowns) const;
  /// The reverse; leaves other values alone.
  void scatter(std::span<const double> unknowns, std::span<double> samples) const;

 private:
  std::size_t values_; // of a sample
  bool all_;
  std::vector<std::size_t> positions_; // unless all
};

/// Appends |output - input|² and |output|² of this rank at the end of the window.
void push_squares(const IteratedField& field, const Unknowns& unknowns, const Iterate& iterate,
                  std::vector<double>& scratch, std::vector<Twofold>& sums);

} // namespace isthmus::acceleration
