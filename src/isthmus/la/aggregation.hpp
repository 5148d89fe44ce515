// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

namespace isthmus::la {

/// Aggregates of rows that are strongly coupled, each within one rank.
struct Aggregates {
  std::vector<LocalIndex> of_row;
  LocalIndex count = 0;
};

/// Each row with its free strong neighbours, then the rows that are left with the aggregate of
/// their strongest neighbour (Vanek, Mandel, Brezina, doi 10.1007/BF02238511). Strong are couplings
/// of at least this part of a row's strongest.
[[nodiscard]] Aggregates aggregate(const Csr& a, double strong);

/// Collective. A bound of the eigenvalues of D^-1 A, D the diagonal: by some steps of the power
/// method, or by the entries where that is less. Two reductions.
[[nodiscard]] double spectral_radius(Matrix& a);

/// Collective. From aggregates to rows: constant on each aggregate.
[[nodiscard]] Matrix constant_prolongation(Matrix& a, const Aggregates& aggregates);

/// Collective. The same after a step of the diagonal iteration damped by 4/3 over `radius`, with
/// weak couplings added to the diagonal. Reaches aggregates of other ranks.
[[nodiscard]] Matrix smoothed_prolongation(Matrix& a, const Aggregates& aggregates, double strong,
                                           double radius);

} // namespace isthmus::la
