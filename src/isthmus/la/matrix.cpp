// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/matrix.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>

namespace isthmus::la {

Matrix::Matrix(const comm::Comm& comm, const Range& columns, Csr own, const Csr& remote,
               exchange::Halo halo, std::vector<GlobalIndex> ghosts)
    : comm_(&comm),
      first_(columns.first),
      num_columns_(static_cast<LocalIndex>(columns.count)),
      own_(std::move(own)),
      halo_(std::move(halo)),
      ghosts_(std::move(ghosts)),
      received_(static_cast<std::size_t>(halo_.num_ghosts())) {
  for (std::size_t row = 0; row < remote.num_rows(); ++row) {
    const auto entries = remote.columns_of(row);
    if (entries.empty()) {
      continue;
    }
    border_rows_.push_back(static_cast<LocalIndex>(row));
    for (std::size_t k = 0; k < entries.size(); ++k) {
      border_.add(entries[k], remote.values_of(row)[k]);
    }
    border_.end_row();
  }
}

void Matrix::apply(std::span<const double> x, std::span<double> y, Overlap overlap) {
  auto arriving = halo_.begin_forward(*comm_, 1, x, received_);
  in_pieces(own_.num_rows(), overlap, [this, x, y](std::size_t first, std::size_t last) {
    multiply(own_, x, y, first, last);
  });
  arriving.finish();
  in_pieces(border_rows_.size(), overlap.part(0.2), [this, y](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      double sum = 0;
      for (std::size_t k = border_.offsets[i]; k < border_.offsets[i + 1]; ++k) {
        sum += border_.values[k] * received_[static_cast<std::size_t>(border_.columns[k])];
      }
      y[static_cast<std::size_t>(border_rows_[i])] += sum;
    }
  });
}

void Matrix::apply_transposed(std::span<const double> x, std::span<double> y) {
  std::fill(received_.begin(), received_.end(), 0);
  for (std::size_t i = 0; i < border_rows_.size(); ++i) {
    const double factor = x[static_cast<std::size_t>(border_rows_[i])];
    for (std::size_t k = border_.offsets[i]; k < border_.offsets[i + 1]; ++k) {
      received_[static_cast<std::size_t>(border_.columns[k])] += border_.values[k] * factor;
    }
  }
  auto leaving = halo_.begin_reverse(*comm_, 1, received_, y);
  std::fill(y.begin(), y.end(), 0);
  for (std::size_t row = 0; row < own_.num_rows(); ++row) {
    for (std::size_t k = own_.offsets[row]; k < own_.offsets[row + 1]; ++k) {
      y[static_cast<std::size_t>(own_.columns[k])] += own_.values[k] * x[row];
    }
  }
  leaving.finish();
}

std::vector<double> Matrix::diagonal() const {
  std::vector<double> result(own_.num_rows());
  for (std::size_t row = 0; row < own_.num_rows(); ++row) {
    const auto columns = own_.columns_of(row);
    const auto at = std::find(columns.begin(), columns.end(), static_cast<LocalIndex>(row));
    if (at != columns.end()) {
      result[row] = own_.values_of(row)[static_cast<std::size_t>(at - columns.begin())];
    }
  }
  return result;
}

GlobalRows Matrix::global_rows() const {
  GlobalRows rows;
  std::size_t next = 0; // of border_rows_
  for (std::size_t row = 0; row < own_.num_rows(); ++row) {
    for (std::size_t k = own_.offsets[row]; k < own_.offsets[row + 1]; ++k) {
      rows.add(first_ + own_.columns[k], own_.values[k]);
    }
    if (next < border_rows_.size() && border_rows_[next] == static_cast<LocalIndex>(row)) {
      for (std::size_t k = border_.offsets[next]; k < border_.offsets[next + 1]; ++k) {
        rows.add(ghosts_[static_cast<std::size_t>(border_.columns[k])], border_.values[k]);
      }
      ++next;
    }
    rows.end_row();
  }
  return merged(rows);
}

Matrix make_matrix(const comm::Comm& comm, const GlobalRows& rows) {
  return make_matrix(comm, rows, number(comm, static_cast<GlobalIndex>(rows.num_rows())));
}

Matrix make_matrix(const comm::Comm& comm, const GlobalRows& rows, const Range& range) {
  const GlobalRows sorted = merged(rows);
  comm::agree(comm, [&sorted, &range] {
    for (const GlobalIndex column : sorted.columns) {
      check(column >= 0 && column < range.total,
            "a row has an entry in column {}, but the matrix has {} columns", column, range.total);
    }
  });
  std::vector<GlobalIndex> ghosts;
  std::copy_if(sorted.columns.begin(), sorted.columns.end(), std::back_inserter(ghosts),
               [&range](GlobalIndex column) { return !range.contains(column); });
  sort_once(ghosts);

  Csr own;
  Csr remote;
  for (std::size_t row = 0; row < sorted.num_rows(); ++row) {
    for (std::size_t k = sorted.offsets[row]; k < sorted.offsets[row + 1]; ++k) {
      const GlobalIndex column = sorted.columns[k];
      if (range.contains(column)) {
        own.add(static_cast<LocalIndex>(column - range.first), sorted.values[k]);
      } else {
        const auto at = std::lower_bound(ghosts.begin(), ghosts.end(), column);
        remote.add(static_cast<LocalIndex>(at - ghosts.begin()), sorted.values[k]);
      }
    }
    own.end_row();
    remote.end_row();
  }
  exchange::Halo halo = make_halo(comm, range, ghosts);
  return {comm, range, std::move(own), remote, std::move(halo), std::move(ghosts)};
}

} // namespace isthmus::la
