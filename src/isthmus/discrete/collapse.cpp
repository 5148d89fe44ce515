// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/collapse.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isthmus::discrete {

namespace {

constexpr double width = 0.25;
constexpr double height = 0.5;

/// Share of cell number i of n that lies below `limit`.
double share_below(int i, int n, double limit) {
  return std::clamp(limit * n - i, 0.0, 1.0);
}

} // namespace

Collapse::Collapse(int n, int layers)
    : grid{{n, n, layers}, {1.0, 1.0, static_cast<double>(layers) / n}} {}

std::vector<double> Collapse::fractions(const FaceMesh& mesh) const {
  std::vector<double> found;
  found.reserve(mesh.cell_ids.size());
  for (const GlobalIndex cell : mesh.cell_ids) {
    const auto place = grid.place_of(cell);
    found.push_back(share_below(place[0], grid.cells[0], width) *
                    share_below(place[1], grid.cells[1], height));
  }
  return found;
}

std::vector<double> Collapse::fluxes(const FaceMesh& mesh) const {
  return stream_fluxes(grid, mesh, [](double x, double y) {
    constexpr double pi = std::numbers::pi;
    return std::sin(pi * x) * std::sin(pi * y) / pi;
  });
}

double Collapse::time_step(double courant) const {
  return courant / grid.cells[0];
}

} // namespace isthmus::discrete
