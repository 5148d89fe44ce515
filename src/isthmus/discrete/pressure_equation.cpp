// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/pressure_equation.hpp"

#include "isthmus/la/diagonal.hpp"

#include <cstddef>
#include <utility>

namespace isthmus::discrete {

PressureEquation::PressureEquation(const comm::Comm& comm, const FaceMesh& mesh,
                                   const CellFaces& cells, OnCells on_product, OnCells on_factor)
    : cells_(cells),
      matrix_(comm, mesh, cells, std::move(on_product)),
      factor_(matrix_, std::move(on_factor)),
      pressure_(mesh.volumes.size() + mesh.num_ghosts()),
      source_(mesh.volumes.size()),
      weights_(mesh.faces.size()) {}

void PressureEquation::find_sources(std::span<const double> flux) {
  matrix_.set(weights_);
  for (std::size_t c = 0; c < source_.size(); ++c) {
    double sum = 0;
    for (const auto& at : cells_.of(static_cast<LocalIndex>(c))) {
      sum += at.sign * flux[static_cast<std::size_t>(at.face)];
    }
    source_[c] = sum;
  }
}

la::Report PressureEquation::solve(const la::Settings& settings, bool factor) {
  const std::span<double> own = std::span(pressure_).first(source_.size());
  if (factor) {
    factor_.factorize();
    return la::solve(matrix_, factor_, source_, own, settings);
  }
  la::Diagonal diagonal({matrix_.diagonal().begin(), matrix_.diagonal().end()});
  return la::solve(matrix_, diagonal, source_, own, settings);
}

} // namespace isthmus::discrete
