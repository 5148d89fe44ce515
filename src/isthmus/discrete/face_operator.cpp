// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/face_operator.hpp"

#include <utility>

namespace isthmus::discrete {

FaceOperator::FaceOperator(const comm::Comm& comm, const FaceMesh& mesh, const CellFaces& cells,
                           OnCells on_cells)
    : comm_(comm),
      mesh_(mesh),
      cells_(cells),
      on_cells_(std::move(on_cells)),
      halo_(make_halo(mesh)),
      weights_(mesh.faces.size()),
      diagonal_(static_cast<std::size_t>(mesh.num_cells())),
      ghosts_(mesh.num_ghosts()) {}

void FaceOperator::set(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  for (LocalIndex cell = 0; cell < num_rows(); ++cell) {
    double sum = 0;
    for (const auto& at : cells_.of(cell)) {
      sum += weight(at.face);
    }
    const auto c = static_cast<std::size_t>(cell);
    diagonal_[c] = mesh_.cell_ids[c] == 0 ? 2 * sum : sum;
  }
}

void FaceOperator::apply(std::span<const double> x, std::span<double> y, la::Overlap overlap) {
  auto arriving = halo_.begin_forward(comm_, 1, x, ghosts_);
  const auto pieces = [this, x, y](const std::vector<LocalIndex>& cells, la::Overlap beside) {
    la::in_pieces(cells.size(), beside, [&](std::size_t first, std::size_t last) {
      multiply(std::span(cells).subspan(first, last - first), x, y);
      if (on_cells_) {
        on_cells_(last - first);
      }
    });
  };
  pieces(cells_.inner(), overlap);
  arriving.finish();
  pieces(cells_.border(), overlap.part(0.2));
}

void FaceOperator::multiply(std::span<const LocalIndex> cells, std::span<const double> x,
                            std::span<double> y) const {
  const LocalIndex own = num_rows();
  for (const LocalIndex cell : cells) {
    const auto c = static_cast<std::size_t>(cell);
    double sum = diagonal_[c] * x[c];
    for (const auto& at : cells_.of(cell)) {
      sum -= weight(at.face) * (at.other < own ? x[static_cast<std::size_t>(at.other)]
                                               : ghosts_[static_cast<std::size_t>(at.other - own)]);
    }
    y[c] = sum;
  }
}

FaceFactor::FaceFactor(const FaceOperator& matrix, OnCells on_cells)
    : matrix_(matrix),
      on_cells_(std::move(on_cells)),
      inverse_pivots_(static_cast<std::size_t>(matrix.num_rows())) {}

void FaceFactor::factorize() {
  for (LocalIndex cell = 0; cell < matrix_.num_rows(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    double pivot = matrix_.diagonal()[c];
    for (const auto& at : matrix_.cells().of(cell)) {
      if (at.other < cell) {
        const double w = matrix_.weight(at.face);
        pivot -= w * w * inverse_pivots_[static_cast<std::size_t>(at.other)];
      }
    }
    inverse_pivots_[c] = 1 / pivot;
  }
}

void FaceFactor::apply(std::span<const double> r, std::span<double> z, la::Overlap overlap) {
  const LocalIndex own = matrix_.num_rows();
  const auto did = [this](std::size_t first, std::size_t last) {
    if (on_cells_) {
      on_cells_((last - first) / 2); // a half of the work
    }
  };
  const la::Overlap half = overlap.part(0.5);
  la::in_pieces(r.size(), half, [this, r, z, did](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      double sum = r[c];
      for (const auto& at : matrix_.cells().of(static_cast<LocalIndex>(c))) {
        const auto other = static_cast<std::size_t>(at.other);
        if (other < c) {
          sum += matrix_.weight(at.face) * z[other];
        }
      }
      z[c] = sum * inverse_pivots_[c];
    }
    did(first, last);
  });
  la::in_pieces(r.size(), half, [this, z, own, did](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t c = z.size() - 1 - k;
      double sum = 0;
      for (const auto& at : matrix_.cells().of(static_cast<LocalIndex>(c))) {
        const auto other = static_cast<std::size_t>(at.other);
        if (at.other < own && other > c) {
          sum += matrix_.weight(at.face) * z[other];
        }
      }
      z[c] += sum * inverse_pivots_[c];
    }
    did(first, last);
  });
}

} // namespace isthmus::discrete
