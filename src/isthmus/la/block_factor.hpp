// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

namespace isthmus::la {

/// Incomplete factors without fill of the block of own rows and columns of each rank (block Jacobi
/// between ranks): communicates nothing. A pivot that vanishes or, for Cholesky, is not positive is
/// replaced by the diagonal entry.
class BlockFactor final : public Preconditioner {
 public:
  enum class Kind {
    cholesky, ///< symmetric matrices: IC(0), of which the lower triangle is read
    lu,       ///< any matrix: ILU(0)
  };

  BlockFactor(const Matrix& matrix, Kind kind);

  void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) override;

 private:
  Csr rows_; // sorted by column; below the diagonal L with unit diagonal, from it on U
  std::vector<std::size_t> diagonal_; // where in rows_
  std::vector<double> inverse_pivots_;
};

} // namespace isthmus::la
