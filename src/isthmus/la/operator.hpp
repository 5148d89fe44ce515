// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/la/overlap.hpp"

#include <span>
#include <vector>

namespace isthmus::la {

/// A square linear map on vectors that are distributed by rows: each rank holds its own entries.
class Operator {
 public:
  virtual ~Operator() = default;

  [[nodiscard]] virtual const comm::Comm& comm() const = 0;
  /// Of this rank.
  [[nodiscard]] virtual LocalIndex num_rows() const = 0;
  /// Collective. y = A x. Moves a reduction on meanwhile.
  virtual void apply(std::span<const double> x, std::span<double> y, Overlap overlap = {}) = 0;
  /// Collective. y = A x, x the same value everywhere. For those who know the sums of their rows.
  virtual void apply_to_constant(double value, std::span<double> y) {
    apply(std::vector<double>(y.size(), value), y);
  }
};

/// Approximates the inverse of an operator.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;

  /// Collective. z = M r, from nothing: z need not hold anything.
  virtual void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) = 0;
};

/// z = r.
class Identity final : public Preconditioner {
 public:
  void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) override {
    in_pieces(r.size(), overlap, [r, z](std::size_t first, std::size_t last) {
      std::copy(r.begin() + static_cast<std::ptrdiff_t>(first),
                r.begin() + static_cast<std::ptrdiff_t>(last),
                z.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }
};

} // namespace isthmus::la
