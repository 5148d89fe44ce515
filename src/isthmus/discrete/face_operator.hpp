// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/cell_faces.hpp"
#include "isthmus/la/operator.hpp"

#include <functional>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// So many cells were visited: accounts of the work.
using OnCells = std::function<void(std::size_t)>;

/// y = sum over the faces of a cell of weight (x there - x behind it): the diffusion between cells
/// whose borders are closed. The level is fixed in the cell of number 0 as OpenFOAM does, by
/// doubling its diagonal entry. Products have the same bits on any number of ranks.
class FaceOperator final : public la::Operator {
 public:
  /// All must outlive this. Weights are zero at first.
  FaceOperator(const comm::Comm& comm, const FaceMesh& mesh, const CellFaces& cells,
               OnCells on_cells = {});

  /// Of every face, positive.
  void set(std::span<const double> weights);

  [[nodiscard]] const comm::Comm& comm() const override { return comm_; }
  [[nodiscard]] LocalIndex num_rows() const override { return mesh_.num_cells(); }
  void apply(std::span<const double> x, std::span<double> y, la::Overlap overlap = {}) override;

  [[nodiscard]] std::span<const double> diagonal() const { return diagonal_; }
  [[nodiscard]] double weight(LocalIndex face) const {
    return weights_[static_cast<std::size_t>(face)];
  }
  [[nodiscard]] const CellFaces& cells() const { return cells_; }

 private:
  void multiply(std::span<const LocalIndex> cells, std::span<const double> x,
                std::span<double> y) const;

  const comm::Comm& comm_;
  const FaceMesh& mesh_;
  const CellFaces& cells_;
  OnCells on_cells_;
  exchange::Halo halo_;
  std::vector<double> weights_;  // of faces
  std::vector<double> diagonal_; // of cells
  std::vector<double> ghosts_;
};

/// Incomplete Cholesky factors without fill of each rank's block, of which only the diagonal
/// differs from the matrix where no three cells touch each other (OpenFOAM: DIC). Sends nothing.
class FaceFactor final : public la::Preconditioner {
 public:
  explicit FaceFactor(const FaceOperator& matrix, OnCells on_cells = {});

  /// For the weights that the matrix has now.
  void factorize();
  void apply(std::span<const double> r, std::span<double> z, la::Overlap overlap = {}) override;

 private:
  const FaceOperator& matrix_;
  OnCells on_cells_;
  std::vector<double> inverse_pivots_;
};

} // namespace isthmus::discrete
