// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::acceleration {

/// Rows that count with one weight.
struct Scale {
  std::size_t begin = 0;
  std::size_t end = 0;
  double weight = 1;
};

/// Columns of equal length, one after the other.
class Columns {
 public:
  explicit Columns(std::size_t rows = 0) : rows_(rows) {}

  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::span<const double* const> list() const { return list_; }
  [[nodiscard]] std::span<const double> operator[](std::size_t column) const {
    return columns_[column];
  }
  /// A new last column.
  std::span<double> push();
  void push(std::span<const double> values);
  void clear() { drop_first(size()); }
  void drop_first(std::size_t columns);

 private:
  void relist();

  std::size_t rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<const double*> list_;
};

/// This rank's part of the weighted products of all columns with each other, n × n; zero above the
/// diagonal.
[[nodiscard]] std::vector<Twofold> products(const Columns& columns, std::span<const Scale> scales);

/// J = L Zᵀ.
struct LowRank {
  Columns left;  // L
  Columns right; // Z
};

/// Collective, one reduction. The same matrix with as few columns as possible, when singular values
/// below `truncation` times the largest do not count. The scales say in which norms.
[[nodiscard]] LowRank compress(const LowRank& matrix, std::span<const Scale> left_scales,
                               std::span<const Scale> right_scales, double truncation,
                               const comm::Comm& comm);

} // namespace isthmus::acceleration
