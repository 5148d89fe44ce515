// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::acceleration {

/// The products of columns with each other and with the residual, per block of rows so that the
/// weights of the blocks may change at no cost. Columns are numbered by the slots that hold them.
class Gram {
 public:
  explicit Gram(std::size_t blocks = 0) : blocks_(blocks) {}

  /// Makes room for so many slots. The products of columns stay, those with the residual do not.
  void reserve(std::size_t slots);

  [[nodiscard]] Twofold& between(std::size_t block, std::size_t a, std::size_t b) {
    return products_[(block * capacity_ + a) * capacity_ + b];
  }
  [[nodiscard]] Twofold between(std::size_t block, std::size_t a, std::size_t b) const {
    return products_[(block * capacity_ + a) * capacity_ + b];
  }
  [[nodiscard]] Twofold& with_residual(std::size_t block, std::size_t slot) {
    return with_residual_[block * capacity_ + slot];
  }
  [[nodiscard]] Twofold with_residual(std::size_t block, std::size_t slot) const {
    return with_residual_[block * capacity_ + slot];
  }

 private:
  std::size_t blocks_;
  std::size_t capacity_ = 0;           // slots
  std::vector<Twofold> products_;      // blocks × slots × slots
  std::vector<Twofold> with_residual_; // blocks × slots
};

} // namespace isthmus::acceleration
