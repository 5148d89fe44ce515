// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/block_factor.hpp"

#include "isthmus/base/error.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

/// The rows with sorted columns; those that lack a diagonal entry get 1.
Csr with_diagonal(const Csr& a) {
  GlobalRows rows;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    bool has_diagonal = false;
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      rows.add(a.columns[k], a.values[k]);
      has_diagonal = has_diagonal || a.columns[k] == static_cast<LocalIndex>(row);
    }
    if (!has_diagonal) {
      rows.add(static_cast<GlobalIndex>(row), 1);
    }
    rows.end_row();
  }
  const GlobalRows sorted = merged(rows);
  return {sorted.offsets, {sorted.columns.begin(), sorted.columns.end()}, sorted.values};
}

/// Its lower triangle and the mirror image of that.
Csr symmetric(const Csr& a) {
  const Csr mirrored = transposed(a, a.num_rows());
  Csr result;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      if (a.columns[k] <= static_cast<LocalIndex>(row)) {
        result.add(a.columns[k], a.values[k]);
      }
    }
    for (std::size_t k = mirrored.offsets[row]; k < mirrored.offsets[row + 1]; ++k) {
      if (mirrored.columns[k] > static_cast<LocalIndex>(row)) {
        result.add(mirrored.columns[k], mirrored.values[k]);
      }
    }
    result.end_row();
  }
  return result;
}

} // namespace

BlockFactor::BlockFactor(const Matrix& matrix, Kind kind) : rows_(with_diagonal(matrix.own())) {
  if (kind == Kind::cholesky) { // of a symmetric matrix IC(0) is ILU(0) with U = D L'
    rows_ = symmetric(rows_);
  }
  const std::size_t n = rows_.num_rows();
  diagonal_.resize(n);
  inverse_pivots_.resize(n);
  for (std::size_t row = 0; row < n; ++row) {
    std::size_t k = rows_.offsets[row];
    while (rows_.columns[k] != static_cast<LocalIndex>(row)) {
      ++k;
    }
    diagonal_[row] = k;
  }
  const std::vector<double> values = rows_.values;
  std::vector<std::size_t> at(n, SIZE_MAX); // where in the row in work a column lies
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = rows_.offsets[row]; k < rows_.offsets[row + 1]; ++k) {
      at[static_cast<std::size_t>(rows_.columns[k])] = k;
    }
    for (std::size_t k = rows_.offsets[row]; k < diagonal_[row]; ++k) {
      const auto upper = static_cast<std::size_t>(rows_.columns[k]);
      const double factor = rows_.values[k] *= inverse_pivots_[upper];
      for (std::size_t j = diagonal_[upper] + 1; j < rows_.offsets[upper + 1]; ++j) {
        const std::size_t target = at[static_cast<std::size_t>(rows_.columns[j])];
        if (target != SIZE_MAX) {
          rows_.values[target] -= factor * rows_.values[j];
        }
      }
    }
    const double original = values[diagonal_[row]];
    double& pivot = rows_.values[diagonal_[row]];
    constexpr double least = 1e-8; // of the diagonal entry
    const bool bad = kind == Kind::cholesky ? !(pivot > least * original)
                                            : !(std::abs(pivot) > least * std::abs(original));
    if (bad) {
      pivot = original == 0 ? 1 : original;
    }
    inverse_pivots_[row] = 1 / pivot;
    for (std::size_t k = rows_.offsets[row]; k < rows_.offsets[row + 1]; ++k) {
      at[static_cast<std::size_t>(rows_.columns[k])] = SIZE_MAX;
    }
  }
}

void BlockFactor::apply(std::span<const double> r, std::span<double> z, Overlap overlap) {
  const std::size_t n = rows_.num_rows();
  const Overlap half = overlap.part(0.5);
  in_pieces(n, half, [this, r, z](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
      double sum = r[row];
      for (std::size_t k = rows_.offsets[row]; k < diagonal_[row]; ++k) {
        sum -= rows_.values[k] * z[static_cast<std::size_t>(rows_.columns[k])];
      }
      z[row] = sum;
    }
  });
  in_pieces(n, half, [this, z, n](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t row = n - 1 - i;
      double sum = z[row];
      for (std::size_t k = diagonal_[row] + 1; k < rows_.offsets[row + 1]; ++k) {
        sum -= rows_.values[k] * z[static_cast<std::size_t>(rows_.columns[k])];
      }
      z[row] = sum * inverse_pivots_[row];
    }
  });
}

} // namespace isthmus::la
