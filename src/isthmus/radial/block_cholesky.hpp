// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

#include <memory>
#include <string>

namespace isthmus::radial {

/// Complete factors of the block of own rows and columns of each rank (block Jacobi between ranks,
/// the solution on one): sparse ones, with dense storage where an eighth of the block is not zero.
class BlockCholesky final : public la::Preconditioner {
 public:
  /// Collective. Error on all ranks if a block is not positive definite; `place` names the mapping.
  BlockCholesky(const la::Matrix& matrix, const std::string& place);
  BlockCholesky(BlockCholesky&&) noexcept;
  ~BlockCholesky() override;

  /// Of a block with so many rows and entries.
  [[nodiscard]] static bool is_dense(std::size_t rows, std::size_t entries) {
    return entries > rows * rows / 8;
  }

  void apply(std::span<const double> r, std::span<double> z, la::Overlap overlap = {}) override;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

} // namespace isthmus::radial
