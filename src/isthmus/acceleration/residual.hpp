// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/unknowns.hpp"
#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::acceleration {

/// Where a primary field, or a part of it with a weight of its own, lies in the equations: those of
/// its values that count.
struct EquationRange {
  std::size_t field = 0;
  std::size_t primary = 0; // of the primary fields
  std::size_t weight = 0;  // of the primary field that had these rows; none: their number
  std::size_t begin = 0;   // in the equations
  std::size_t end = 0;
};

/// H(x) - x of the primary fields as one vector, in this and the previous iteration of a window,
/// and the norms of all fields. What every method measures.
class Residual {
 public:
  /// reduced: only the last sample of a field has equations.
  explicit Residual(bool reduced) : reduced_(reduced) {}

  void initialize(std::vector<IteratedField> fields) { initialize(std::move(fields), {}); }
  /// The fields are in as many blocks as there are pieces up to `ends`, some of them empty, and
  /// behind the last.
  void initialize(std::vector<IteratedField> fields, std::span<const std::size_t> ends);
  /// Computes the residual, appends some sums per field.
  void measure(std::span<const Iterate> fields, std::vector<Twofold>& sums);
  /// Throws an Error that names the field if a sum is not finite.
  void absorb(std::span<const Twofold> sums);
  void complete_window() { iteration_ = 0; }

  [[nodiscard]] std::span<const IteratedField> fields() const { return fields_; }
  [[nodiscard]] std::span<const EquationRange> blocks() const { return blocks_; }
  [[nodiscard]] std::span<const Norms> norms() const { return norms_; }
  /// Norms of the primary fields, over all their rows.
  [[nodiscard]] std::span<const Norms> primary_norms() const { return primary_norms_; }
  /// Whether a difference of residuals with this square in a block is rounding of its values.
  [[nodiscard]] bool is_rounding(std::size_t block, double square) const;
  [[nodiscard]] std::size_t rows() const { return current_.size(); }
  /// Equations beside the rows, of values that are always zero.
  [[nodiscard]] std::size_t zero_rows() const { return zero_rows_; }
  [[nodiscard]] std::span<const double> current() const { return current_; }
  [[nodiscard]] std::span<const double> previous() const { return previous_; }
  /// Of the window, from 1.
  [[nodiscard]] int iteration() const { return iteration_; }
  /// Of every field, in its values and in the equations.
  [[nodiscard]] std::vector<std::size_t> samples() const;
  [[nodiscard]] std::vector<std::size_t> samples_in_equations() const;

 private:
  void gather(std::span<const Iterate> fields, bool outputs, std::span<double> rows) const;
  void push_squares_of_blocks(std::vector<Twofold>& sums) const;

  bool reduced_;
  std::vector<IteratedField> fields_;
  std::vector<EquationRange> blocks_;
  std::vector<Unknowns> unknowns_; // by field
  std::vector<double> current_;
  std::vector<double> previous_;
  std::vector<double> scratch_;
  std::vector<Norms> norms_;
  std::vector<Norms> primary_norms_;
  std::size_t first_sum_ = 0;
  std::size_t zero_rows_ = 0;
  int iteration_ = 0;
};

} // namespace isthmus::acceleration
