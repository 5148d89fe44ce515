// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lduMatrix.H"

namespace isthmus::openfoam {

/// OpenFOAM's smoothSolver, whose reductions run beside its sweeps: while ranks learn the residual
/// that a sweep has left, they sweep once more, and take that back where it was one too many. So
/// values, iterations and log are those of smoothSolver, but for roundings of residuals. For any
/// matrix, with the smoothers, nSweeps and limits of fvSolution.
class Smoothing : public Foam::lduMatrix::solver {
 public:
  Smoothing(const Foam::word& field, const Foam::lduMatrix& matrix,
            const Foam::FieldField<Foam::Field, Foam::scalar>& outer,
            const Foam::FieldField<Foam::Field, Foam::scalar>& inner,
            const Foam::lduInterfaceFieldPtrsList& interfaces, const Foam::dictionary& controls);

  /// Collective over the ranks of the matrix. On one rank, and where fvSolution asks for a fixed
  /// number of sweeps (nSweeps below zero), nobody waits, and smoothSolver does it.
  Foam::solverPerformance solve(Foam::scalarField& psi, const Foam::scalarField& source,
                                Foam::direction component) const override;

 private:
  Foam::solverPerformance solve_as_openfoam(Foam::scalarField& psi, const Foam::scalarField& source,
                                            Foam::direction component) const;
  /// Whether this many more sweeps were the last, by the residual that they have left.
  bool ends(Foam::solverPerformance& done, Foam::label sweeps) const;
  /// Whether they are expected to be, where the last ones left this share of the residual.
  [[nodiscard]] bool may_end(const Foam::solverPerformance& done, Foam::scalar share) const;

  Foam::label sweeps_; // between two looks at the residual
};

} // namespace isthmus::openfoam
