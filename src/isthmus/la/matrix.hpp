// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/halo.hpp"
#include "isthmus/la/csr.hpp"
#include "isthmus/la/global_ids.hpp"
#include "isthmus/la/operator.hpp"

namespace isthmus::la {

/// A sparse matrix distributed by rows, square unless it was made with other columns. A product
/// sends the entries that others need, multiplies the columns of this rank meanwhile, and adds
/// those of other ranks at the end.
class Matrix final : public Operator {
 public:
  /// `own` has the entries whose columns belong to this rank, `remote` those whose columns are
  /// ghosts of the halo; both with all rows. `columns` are those of this rank, `ghosts` the global
  /// columns of the ghosts. The communicator must outlive the matrix.
  Matrix(const comm::Comm& comm, const Range& columns, Csr own, const Csr& remote,
         exchange::Halo halo, std::vector<GlobalIndex> ghosts);

  [[nodiscard]] const comm::Comm& comm() const override { return *comm_; }
  [[nodiscard]] LocalIndex num_rows() const override {
    return static_cast<LocalIndex>(own_.num_rows());
  }
  void apply(std::span<const double> x, std::span<double> y, Overlap overlap = {}) override;

  /// Collective. y = A' x, of the columns of this rank.
  void apply_transposed(std::span<const double> x, std::span<double> y);

  [[nodiscard]] GlobalIndex first_column() const { return first_; }
  [[nodiscard]] LocalIndex num_columns() const { return num_columns_; }
  /// Of a square matrix.
  [[nodiscard]] GlobalIndex first_row() const { return first_; }
  [[nodiscard]] const Csr& own() const { return own_; }
  /// Rows with entries of other ranks, and these.
  [[nodiscard]] std::span<const LocalIndex> border_rows() const { return border_rows_; }
  [[nodiscard]] const Csr& border() const { return border_; }
  [[nodiscard]] std::span<const GlobalIndex> ghosts() const { return ghosts_; }
  [[nodiscard]] exchange::Halo& halo() { return halo_; }
  [[nodiscard]] const exchange::Halo& halo() const { return halo_; }
  /// 0 where there is no entry.
  [[nodiscard]] std::vector<double> diagonal() const;
  /// Own entries and those of other ranks, with global columns, sorted by column.
  [[nodiscard]] GlobalRows global_rows() const;

 private:
  const comm::Comm* comm_;
  GlobalIndex first_;
  LocalIndex num_columns_;
  Csr own_;
  std::vector<LocalIndex> border_rows_;
  Csr border_; // of border_rows_, columns are ghosts
  exchange::Halo halo_;
  std::vector<GlobalIndex> ghosts_;
  std::vector<double> received_;
};

/// Collective. Rows and columns are numbered through all ranks, those of rank 0 first; each rank
/// gives its rows. Entries of equal column are added. Throws Error on all ranks for a column that
/// does not exist.
[[nodiscard]] Matrix make_matrix(const comm::Comm& comm, const GlobalRows& rows);
/// Collective. The same with columns that are not numbered as the rows are.
[[nodiscard]] Matrix make_matrix(const comm::Comm& comm, const GlobalRows& rows,
                                 const Range& columns);

} // namespace isthmus::la
