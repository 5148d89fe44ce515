// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/csr.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::la {

void multiply(const Csr& a, std::span<const double> x, std::span<double> y, std::size_t first,
              std::size_t last) {
  const LocalIndex* const columns = a.columns.data();
  const double* const values = a.values.data();
  for (std::size_t row = first; row < last; ++row) {
    double sum = 0;
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      sum += values[k] * x[static_cast<std::size_t>(columns[k])];
    }
    y[row] = sum;
  }
}

void RowSum::add(double factor, const GlobalRows& rows, std::size_t row) {
  for (std::size_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
    entries_.emplace_back(rows.columns[k], factor * rows.values[k]);
  }
}

void RowSum::end_row(GlobalRows& rows) {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [column, value] : entries_) {
    if (rows.columns.size() > rows.offsets.back() && rows.columns.back() == column) {
      rows.values.back() += value;
    } else {
      rows.add(column, value);
    }
  }
  rows.end_row();
  entries_.clear();
}

GlobalRows merged(const GlobalRows& rows) {
  GlobalRows result;
  result.columns.reserve(rows.num_entries());
  result.values.reserve(rows.num_entries());
  RowSum sum;
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    sum.add(1, rows, row);
    sum.end_row(result);
  }
  return result;
}

Csr transposed(const Csr& a, std::size_t num_columns) {
  Csr result;
  result.offsets.assign(num_columns + 1, 0);
  for (const LocalIndex column : a.columns) {
    ++result.offsets[static_cast<std::size_t>(column) + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<std::size_t> next(result.offsets.begin(), result.offsets.end() - 1);
  result.columns.resize(a.num_entries());
  result.values.resize(a.num_entries());
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const std::size_t at = next[static_cast<std::size_t>(a.columns[k])]++;
      result.columns[at] = static_cast<LocalIndex>(row);
      result.values[at] = a.values[k];
    }
  }
  return result;
}

} // namespace isthmus::la
