// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <utility>
#include <vector>

namespace isthmus::la {

/// Sparse rows of one rank: row i has entries offsets[i]…offsets[i+1).
template <typename Column>
struct SparseRows {
  std::vector<std::size_t> offsets{0};
  std::vector<Column> columns;
  std::vector<double> values;

  [[nodiscard]] std::size_t num_rows() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t num_entries() const { return columns.size(); }
  [[nodiscard]] std::span<const Column> columns_of(std::size_t row) const {
    return std::span(columns).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
  [[nodiscard]] std::span<const double> values_of(std::size_t row) const {
    return std::span(values).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
  void add(Column column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(columns.size()); }
};

using Csr = SparseRows<LocalIndex>;         // columns of this rank
using GlobalRows = SparseRows<GlobalIndex>; // columns of all ranks

/// y = A x for the rows first…last-1.
void multiply(const Csr& a, std::span<const double> x, std::span<double> y, std::size_t first,
              std::size_t last);

/// One row, of entries in any order.
class RowSum {
 public:
  void add(GlobalIndex column, double value) { entries_.emplace_back(column, value); }
  /// Adds `factor` times the row.
  void add(double factor, const GlobalRows& rows, std::size_t row);
  /// Appends the row, sorted by column, entries of equal column added up as they came; forgets it.
  void end_row(GlobalRows& rows);

 private:
  std::vector<std::pair<GlobalIndex, double>> entries_;
};

/// Sorts the entries of each row by column and adds up those of equal column.
[[nodiscard]] GlobalRows merged(const GlobalRows& rows);

/// Column by column.
[[nodiscard]] Csr transposed(const Csr& a, std::size_t num_columns);

} // namespace isthmus::la
