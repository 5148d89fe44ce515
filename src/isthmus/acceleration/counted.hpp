// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/field.hpp"
#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The values of a field that count in norms and equations: all, or those that do not follow.
class Counted {
 public:
  explicit Counted(const Field& field);

  /// Of one sample.
  [[nodiscard]] std::size_t size() const { return all_ ? values_ : places_.size(); }
  /// From whole samples, one after the other, to what counts of them; as many samples.
  void gather(std::span<const double> samples, std::span<double> counted) const;
  /// The reverse; leaves alone what does not count.
  void scatter(std::span<const double> counted, std::span<double> samples) const;

 private:
  std::size_t values_; // of a sample
  bool all_;
  std::vector<std::size_t> places_; // unless all
};

/// Appends |output - input|² and |output|² of this rank at the end of the window.
void push_squares(const Field& field, const Counted& counted, const Iterate& iterate,
                  std::vector<double>& scratch, std::vector<Twofold>& sums);

} // namespace isthmus::acceleration
