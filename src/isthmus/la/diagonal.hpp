// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

namespace isthmus::la {

/// z = r divided by the diagonal (Jacobi). Rows without a diagonal entry are copied.
class Diagonal final : public Preconditioner {
 public:
  explicit Diagonal(const Matrix& matrix) : Diagonal(matrix.diagonal()) {}
  explicit Diagonal(std::vector<double> diagonal) : inverse_(std::move(diagonal)) {
    for (double& value : inverse_) {
      value = value == 0 ? 1 : 1 / value;
    }
  }

  void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) override {
    in_pieces(r.size(), overlap, [this, r, z](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        z[i] = inverse_[i] * r[i];
      }
    });
  }

 private:
  std::vector<double> inverse_;
};

} // namespace isthmus::la
